// Writes what the command explain of Node says of pairs of texts: reads { flags, pairs } as JSON.
import { readFileSync } from "node:fs";
import { runCommandLine } from "../../dist/cli/command-line.js";

const { flags, pairs } = JSON.parse(readFileSync(0, "utf8"));
for (const pair of pairs) await runCommandLine(["explain", ...flags, "--", ...pair]);
