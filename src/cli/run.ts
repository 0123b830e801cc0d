import type { LineWindow } from "../engine/engine.ts";
import { createNormalizer } from "../index.ts";
import type { Normalizer } from "../normalizer.ts";
import { resolveOptions } from "../options/options.ts";
import { isError, Status, statusName } from "../status.ts";
import { CommandFailure } from "./failure.ts";
import { cutLines, readFile } from "./input.ts";
import type { CommandOptions } from "./options.ts";
import { ClosedPipe, Output } from "./output.ts";
import { Progress } from "./progress.ts";
import { RuleCounts } from "./rule-counts.ts";
import { Tally } from "./tally.ts";
import { lineText } from "./window-text.ts";

const NEWLINE = Uint8Array.of(0x0a);

/** What a command does with the lines; `run` does the rest. */
export interface LineHandler {
  /**
   * The bytes to write for a window, and what goes to the file of merged lines, if there is one. Its
   * views end with the call: the result must not share them.
   */
  window(window: LineWindow, map: string[] | null): Uint8Array;
  /** Whether a line over the limit is passed on, piece by piece. */
  readonly passesLongLines: boolean;
  /** What stands before such a line, and behind it. */
  readonly longLinePrefix: string;
  readonly longLineEnd: string;
}

/** Reads all files as lines, normalizes them, writes what the handler makes of them. */
export async function run(
  options: CommandOptions,
  createHandler: (tally: Tally) => LineHandler,
): Promise<void> {
  const normalizer = createNormalizer(options.normalizer);
  const tally = new Tally();
  const handler = createHandler(tally);
  const output = Output.toStandardOutput();
  const errors = options.errors === undefined ? null : Output.toFile(options.errors);
  const map = options.map === undefined ? null : Output.toFile(options.map);
  const rules = options.stats ? new RuleCounts(normalizer, options.base) : null;
  const progress = await Progress.start(options.progress, tally, options.files);
  try {
    for (const file of options.files) {
      await runFile(file, { options, normalizer, tally, handler, output, errors, map, rules });
    }
    await output.finish();
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    throw error;
  } finally {
    progress?.stop();
    await errors?.finish();
    await map?.finish();
  }
  if (options.stats) {
    process.stderr.write(
      `${JSON.stringify({ ...tally.toJSON(), changesByRule: rules, engine: normalizer.engine, profileId: normalizer.profileId })}\n`,
    );
  }
  if (tally.errors > 0 && errors === null && !options.stats)
    process.stderr.write(summary(tally, options));
}

interface Context {
  readonly options: CommandOptions;
  readonly normalizer: Normalizer;
  readonly tally: Tally;
  readonly handler: LineHandler;
  readonly output: Output;
  readonly errors: Output | null;
  readonly map: Output | null;
  readonly rules: RuleCounts | null;
}

async function runFile(file: string, context: Context): Promise<void> {
  const { options, tally } = context;
  const { maxLength } = resolveOptions(options.normalizer);
  let inLongLine = false;
  for await (const stretch of cutLines(readFile(file), maxLength)) {
    tally.bytesIn += stretch.bytes.length;
    if (stretch.kind === "lines") {
      await runLines(stretch.bytes, context);
      continue;
    }
    if (!inLongLine) await beginLongLine(context);
    inLongLine = !stretch.end;
    await passLongLine(stretch.bytes, stretch.end, context);
  }
}

async function runLines(bytes: Uint8Array, context: Context): Promise<void> {
  const { normalizer, options, tally, handler, output, errors, map, rules } = context;
  const base = options.base === undefined ? {} : { base: options.base };
  const written: Uint8Array[] = [];
  const reported: Uint8Array[] = [];
  const merged: string[] | null = map === null ? null : [];
  let failure: CommandFailure | null = null;
  normalizer.normalizeWindows(bytes, true, base, (window) => {
    if (failure !== null) return;
    let kept = window;
    if (window.failed > 0) {
      if (options.onError === "fail") {
        const row = window.status.findIndex(isError);
        failure = lineFailure(tally.lines + row + 1, window.status[row] as number);
        kept = firstRows(window, row);
      } else if (errors !== null) {
        reported.push(errorLines(window, tally.lines));
      }
    }
    tally.addRows(kept.status, kept.changed);
    rules?.add(kept);
    written.push(handler.window(kept, merged));
  });
  for (const part of written) {
    tally.bytesOut += part.length;
    await output.write(part);
  }
  for (const part of reported) await errors?.write(part);
  await map?.write(Buffer.from(merged?.join("") ?? "", "latin1"));
  if (failure !== null) throw failure;
}

async function beginLongLine({ options, tally, handler, output, errors }: Context): Promise<void> {
  if (options.onError === "fail") throw lineFailure(tally.lines + 1, Status.TOO_LONG);
  tally.addRows(Uint8Array.of(Status.TOO_LONG), 1);
  await errors?.write(`${tally.lines}\tTOO_LONG\t`);
  if (handler.passesLongLines) await output.write(handler.longLinePrefix);
}

async function passLongLine(bytes: Uint8Array, end: boolean, context: Context): Promise<void> {
  const { tally, handler, output, errors } = context;
  await errors?.write(bytes);
  if (handler.passesLongLines) {
    tally.bytesOut += bytes.length;
    await output.write(bytes);
  }
  if (!end) return;
  await errors?.write("\n");
  await output.write(handler.longLineEnd);
}

function lineFailure(line: number, status: number): CommandFailure {
  return new CommandFailure(
    `line ${line} is no URL (${statusName(status)}); stopped (--on-error fail)`,
    1,
  );
}

/** The first `rows` rows of a window. */
function firstRows(window: LineWindow, rows: number): LineWindow {
  const status = window.status.subarray(0, rows);
  return {
    ...window,
    rows,
    inputOffsets: window.inputOffsets.subarray(0, rows + 1),
    outputOffsets: window.outputOffsets.subarray(0, rows + 1),
    output: window.output.subarray(0, window.outputOffsets[rows]),
    status,
    changed: status.filter((code) => code !== Status.UNCHANGED).length,
    failed: 0,
  };
}

/** `line number<TAB>code<TAB>text` for each failed line. */
function errorLines(window: LineWindow, linesBefore: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [row, status] of window.status.entries()) {
    if (!isError(status)) continue;
    parts.push(
      Buffer.from(`${linesBefore + row + 1}\t${statusName(status)}\t`),
      lineText(window, row),
      NEWLINE,
    );
  }
  return Buffer.concat(parts);
}

function summary(tally: Tally, options: CommandOptions): string {
  const lines = tally.errors === 1 ? "1 line is no URL" : `${tally.errors} lines are no URLs`;
  const done = options.onError === "keep" ? "kept as they were" : "not written";
  return `urlmill: ${lines}, ${done}; --errors FILE lists them, --stats counts them\n`;
}
