import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { builtFile } from "./built-file.ts";

const MAIN = builtFile("cli/main.js");
const COMMAND_LINE = pathToFileURL(builtFile("cli/command-line.js")).href;

/** Bytes that a pipe gives at a time. */
const PIPE = 1 << 16;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command line in this process, one call after the other, with streams for its standard input, output
 * and errors. Returns output as byte strings. Call `runProcess` where a test is about the environment, signals,
 * descriptors or the end of the process. `isTerminal`: says whether the stream of errors is one.
 */
export function runCli(
  args: readonly string[],
  input: string | Uint8Array = "",
  isTerminal = false,
): Promise<CliResult> {
  const result = last.then(() => runHere([...args], bytesOf(input), isTerminal));
  last = result.catch(() => {}); // its caller hears of it
  return result;
}

async function runHere(args: string[], input: Uint8Array, isTerminal: boolean): Promise<CliResult> {
  const built = (await import(COMMAND_LINE)) as typeof import("../../src/cli/command-line.ts");
  const stdin = Readable.from(piecesOf(input), { objectMode: false });
  const stdout = new Collected();
  const stderr = Object.assign(new Collected(), { isTTY: isTerminal });
  const { URLMILL_ENGINE } = process.env;
  process.env["URLMILL_ENGINE"] = "";
  try {
    const code = await built.runCommandLine(args, { stdin, stdout, stderr });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    if (URLMILL_ENGINE === undefined) delete process.env["URLMILL_ENGINE"];
    else process.env["URLMILL_ENGINE"] = URLMILL_ENGINE;
  }
}

/** Keeps what is written to it. */
class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk)); // its writer may use the memory again
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString("latin1");
  }
}

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === "string" ? Buffer.from(input, "latin1") : input;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIPE) yield bytes.subarray(at, at + PIPE);
}

/** Does the same in a folder: `line` has the command line's arguments, with blanks between. */
export async function runCliIn(folder: string, line: string): Promise<CliResult> {
  await last.catch(() => {});
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runCli(line.split(" "));
  } finally {
    process.chdir(before);
  }
}

/** Runs the built command line in a process of its own, with `env` besides the environment of this one. */
export async function runProcess(
  args: readonly string[],
  input: string | Uint8Array = "",
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: "pipe",
    env: { ...process.env, URLMILL_ENGINE: "", ...env },
  });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.on("error", () => {}); // the command may end before it has read everything
  child.stdin.end(bytesOf(input));
  const [code] = (await once(child, "close")) as [number | null];
  return {
    code,
    stdout: Buffer.concat(chunks.stdout).toString("latin1"),
    stderr: Buffer.concat(chunks.stderr).toString("latin1"),
  };
}

export { MAIN as CLI_PATH };

/**
 * Runs a shell script in which `urlmill` is the built command line, so that the shell opens its files.
 * Stopped after `timeoutMs`; the code is then null.
 */
export function runShell(script: string, cwd: string, timeoutMs = 55_000): CliResult {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", `urlmill() { "$NODE" "$MAIN" "$@"; }\n${script}`],
    {
      cwd,
      env: { ...process.env, NODE: process.execPath, MAIN, URLMILL_ENGINE: "" },
      encoding: "latin1",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    },
  );
  return { code: status, stdout, stderr };
}
