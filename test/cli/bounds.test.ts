import { devNull } from "node:os";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";

const THREADS = "--threads is a whole number from 1 to 9999, not";
const PAIRS = "--pairs is a whole number from 1 to 50, not";

test.each([
  [["normalize", "--threads", "100000"], `${THREADS} "100000"`],
  [["dedupe", "--threads", "0"], `${THREADS} "0"`],
  [["dedupe", "--threads=-1"], `${THREADS} "-1"`],
  [["dedupe", "--threads", "1e2"], `${THREADS} "1e2"`],
  [["dedupe", "--threads", ""], `${THREADS} ""`],
  [["learn", "plan", "--rules", devNull, "--pairs", "51"], `${PAIRS} "51"`],
  [["learn", "plan", "--rules", devNull, "--pairs", "x"], `${PAIRS} "x"`],
  [["hosts", "--concurrency", "0"], '--concurrency is a whole number from 1 on, not "0"'],
  [["hosts", "--timeout", "0"], '--timeout is a whole number from 1 to 2147483647, not "0"'],
  [
    ["normalize", "--max-length", "67108865"],
    "option maxLength cannot be 67108865: expected a whole number from 1 to 67108864",
  ],
  [
    ["learn", "--max-page-loss", "2"],
    '--max-page-loss is a share from 0 to 1, or per cent, not "2"',
  ],
])("%j names the bounds", async (args, message) => {
  expect(await runCli(args)).toEqual({ code: 2, stdout: "", stderr: `urlmill: ${message}\n` });
});
