import { expect } from "vitest";
import { runCli } from "./cli.ts";

/** Returns what `--stats` says of a run's input, and what the run writes. */
export async function readAs(args: readonly string[], input = "") {
  const { code, stdout, stderr } = await runCli(["dedupe", "--stats", ...args], input);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { format, field } = JSON.parse(stderr);
  return { format, field, stdout };
}
