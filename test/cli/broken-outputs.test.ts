// At full length only: it tries what file systems refuse.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runShell } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
writeFileSync(join(folder, "list"), "http://192.0.2.1/\n");

/** Writes to standard output in a shell until its reader has gone away. */
const UNTIL_NOBODY_READS = "while (printf x) 2> /dev/null; do :; done";

/** Every way a command writes to standard output. */
const COMMANDS = [
  "--help",
  "--version",
  "presets",
  "schema",
  "normalize --help",
  "normalize list",
  "dedupe list",
  "normalize list --report - -o out",
  "explain http://a/%7e",
  "explain --json http://a/%7e",
  "hosts --server 127.0.0.1:9 --timeout 1 list",
  "learn --help",
  "learn list",
];

describe.runIf(process.platform !== "win32").each(sampleOf(COMMANDS, 6))(
  "urlmill %s",
  (command) => {
    test("ends quietly when its reader has gone away", () => {
      const script = `{ ${UNTIL_NOBODY_READS}; urlmill ${command} 2> said; echo $? > code; } | true; cat code said`;
      const { stdout } = runShell(script, folder);
      // What a command says besides its output is said anyway.
      expect(stdout).toMatch(/^0\n(urlmill: (?!cannot)[^\n]*\n){0,2}$/);
    });

    test.runIf(process.platform === "linux")("says in a sentence that the disk is full", () => {
      const { code, stderr } = runShell(`urlmill ${command} > /dev/full`, folder);
      expect(stderr).toMatch(/^(urlmill: .*\n)?urlmill: cannot write .*: the disk is full\n$/);
      expect(code).toBe(1);
    });
  },
);

test.runIf(process.platform === "linux")("a compressor says that a file takes no more", () => {
  // The file has two names, so it is written in place. A limit of the process takes the place of a full disk.
  const script = `seq -f http://a/%g 300000 > long; touch a.gz; ln a.gz b.gz
    ulimit -f 300; trap "" XFSZ; urlmill normalize long -o a.gz`;
  const { code, stderr } = runShell(script, folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^urlmill: cannot write a\.gz: .*\n$/)]);
});

test.runIf(process.platform === "linux")("a compressor says that the disk is full", () => {
  const script = "ln -s /dev/full full.gz; urlmill normalize list list list -o full.gz";
  const { code, stderr } = runShell(script, folder);
  expect([code, stderr]).toEqual([1, "urlmill: cannot write full.gz: the disk is full\n"]);
});

// Each says something on standard error: a wrong call, counts, a sentence, progress.
const SPEAKERS = [
  [2, "normalize --no-such-flag"],
  [2, ""],
  [1, "normalize missing"],
  [0, "normalize --stats list"],
  [0, "normalize --progress list"],
  [0, "hosts --server 127.0.0.1:9 --timeout 1 list"],
  [0, "learn list"],
] as const;
describe.runIf(process.platform === "linux").each(sampleOf(SPEAKERS, 4))(
  "ends with %i where nobody can be told: urlmill %s",
  (expected, command) => {
    test.each([
      ["a full disk", `urlmill ${command} 2> /dev/full > out; echo $?`],
      ["no descriptor", `urlmill ${command} 2>&- > out; echo $?`],
      [
        "a reader who has gone away",
        `{ { ${UNTIL_NOBODY_READS}; urlmill ${command} 2>&3 > out; echo $? > code; } 3>&1 | true; }; cat code`,
      ],
    ])("standard error is %s", (_, script) => {
      expect(runShell(script, folder).stdout).toBe(`${expected}\n`);
    });
  },
);
