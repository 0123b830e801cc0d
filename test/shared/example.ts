import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Site } from "../../examples/site/site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A program that runs. */
export interface RunningProgram {
  /** Sends it SIGINT. */
  readonly interrupt: () => void;
  /** Is fulfilled at its end, which must be a good one, with the last line that it printed. */
  readonly lastLine: Promise<string>;
}

/** Starts a program of `examples/`. */
export function startExample(name: string, ...args: string[]): RunningProgram {
  return start(ROOT, `examples/${name}`, args);
}

/** Runs a program of `examples/` and returns the last line that it printed. */
export function runExample(name: string, ...args: string[]): Promise<string> {
  return startExample(name, ...args).lastLine;
}

/** Runs the text of a program with arguments in a folder of its own, where it finds the packages of this one. */
export async function runPasted(text: string, ...args: string[]): Promise<void> {
  const build = join(ROOT, "build");
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, "pasted-"));
  try {
    writeFileSync(join(folder, "program.mjs"), text);
    await start(folder, "program.mjs", args).lastLine;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function start(cwd: string, file: string, args: string[]): RunningProgram {
  const child = spawn(process.execPath, [file, ...args], { cwd });
  return { interrupt: () => child.kill("SIGINT"), lastLine: lastLineOf(child) };
}

async function lastLineOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const [code] = await once(child, "close");
  expect(code, errors.join("")).toBe(0);
  return out.join("").trimEnd().split("\n").at(-1) ?? "";
}

/** Expects that each page of a site was asked for once, and nothing else. */
export function expectNoWaste(site: Site): void {
  const { pages, fetches, missing } = site;
  expect({ pages, fetches, missing }).toEqual({
    pages: site.size,
    fetches: site.size,
    missing: [],
  });
}
