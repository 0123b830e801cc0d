import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Site } from "../../examples/site/site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program of `examples/` and returns the last line that it printed. */
export async function runExample(name: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [`examples/${name}`, ...args], { cwd: ROOT });
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
