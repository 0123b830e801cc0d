import { Output } from "../io/output.ts";
import { say, tell } from "../io/say.ts";
import { visibleJson } from "../io/text/visible.ts";
import { expectedFalseSeen } from "../seen/request.ts";
import { counted } from "./counted.ts";
import type { RunKeys } from "./keys/run-keys.ts";
import type { PreparedRun } from "./prepare.ts";

/** Writes the page of `--report`, if it was requested. */
export async function writeReport({
  options: { files, normalizer, form, report = "-" },
  facts,
  keys,
  tally,
  collector,
}: PreparedRun): Promise<void> {
  if (collector === null) return;
  const { renderReport } = await import("./report/page.ts");
  const command = keys === null ? "normalize" : "dedupe";
  const preset = form === "crawlee" ? "none: keys of Crawlee" : (normalizer.preset ?? "safe");
  const page = renderReport({ command, files, preset, ...facts }, tally, collector);
  const output = await Output.toFile(report);
  await output.write(Buffer.from(page));
  await output.finish();
}

/** Counts keys that are kept after the run or may collide. Reports them if no statistics are written. */
export function countKeys(
  { options: { stats }, tally }: PreparedRun,
  { journal, sizeBefore, identity }: RunKeys,
  size: number,
): void {
  const expected = expectedFalseSeen(size, identity.bits);
  tally.expectedFalseMerges = expected;
  if (journal !== null) tally.keysBefore = sizeBefore;
  if (identity.bits === 64 && !stats) {
    const lost = expected === 0 ? "0" : expected.toPrecision(2);
    say(`keys of 64 bits: ${size}; lines that can be expected to be lost to chance: ${lost}`);
  }
}

/** Writes the counts of `--stats`, or reports how many records have no URL. */
export function sayCounts(
  { options: { stats, errors, onError }, facts, tally }: PreparedRun,
  record: "line" | "row",
): void {
  if (stats) {
    tell(`${visibleJson({ ...tally.toJSON(), ...facts })}\n`);
  } else if (tally.errors > 0 && errors === undefined) {
    const count = tally.errors;
    const are = count === 1 ? "is not a URL" : "are not URLs";
    const kept = count === 1 ? "kept as it was" : "kept as they were";
    const compared = record === "line" ? "compared byte by byte" : "compared as a whole";
    const isDeduped = tally.expectedFalseMerges !== null;
    const done = onError === "keep" ? (isDeduped ? compared : kept) : "not written";
    say(`${counted(count, record)} ${are}, ${done}; --errors FILE lists them, --stats counts them`);
  }
}
