import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runShell } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(path("list"), "http://a/1\nhttp://a/2\n");
  writeFileSync(path("torn"), "http://a/0\nhttp://a/to");
  writeFileSync(path("whole"), "http://a/0\n");
});

/** What a file holds after a script. */
function after(script: string, name: string): string {
  expect(runShell(script, folder)).toEqual({ code: 0, stdout: "", stderr: "" });
  return readFileSync(path(name), "utf8");
}

const LINES = "http://a/1\nhttp://a/2\n";

describe.runIf(process.platform === "linux")("a file that is appended to", () => {
  test.each(
    sampleOf(
      [
        "urlmill dedupe --seen keys list >> torn",
        "urlmill normalize list >> torn",
        "urlmill dedupe --seen keys -o /dev/stdout list >> torn",
        "urlmill dedupe --seen keys -o /dev/fd/5 list 5>> torn",
        "urlmill normalize --errors /dev/stderr -o /dev/fd/1 list >> torn 2>> said",
        "urlmill normalize --emit normalized --threads 2 list >> torn",
      ],
      3,
    ),
  )("gets a line end where its last line has none: %s", (script) => {
    expect(after(script, "torn")).toBe(`http://a/0\nhttp://a/to\n${LINES}`);
  });

  test.each(
    sampleOf(
      [
        ["urlmill dedupe list >> whole", `http://a/0\n${LINES}`],
        ["urlmill dedupe -o /proc/self/fd/1 list >> whole", `http://a/0\n${LINES}`],
        ["(printf 'x\\n'; urlmill dedupe list) > whole", `x\n${LINES}`],
        ["urlmill dedupe list > whole", LINES],
        ["rm whole; urlmill dedupe list >> whole", LINES],
        ["urlmill dedupe -o whole list", LINES],
        // Written over from the beginning, where no line is before.
        ["printf http://a/torn > whole; urlmill dedupe list 1<> whole", LINES],
        ["urlmill dedupe /dev/null >> whole", "http://a/0\n"],
        ["urlmill dedupe /dev/null >> torn; cp torn whole", "http://a/0\nhttp://a/to"],
      ],
      4,
    ),
  )("gets no other byte than its lines else: %s", (script, expected) => {
    expect(after(script, "whole")).toBe(expected);
  });

  test("gets a line end where another command of the same redirection left a line torn", () => {
    expect(after("(printf http://a/to; urlmill dedupe list) > new", "new")).toBe(
      `http://a/to\n${LINES}`,
    );
  });

  test("is not emptied where it is standard output by its name", () => {
    expect(
      after("urlmill normalize --errors /dev/stderr list -o /dev/stdout >> whole", "whole"),
    ).toBe(`http://a/0\n${LINES}`);
  });

  test("keeps every line of runs with keys, one of which was torn", () => {
    const script = `urlmill dedupe --seen keys list >> whole
      printf http://a/to >> whole
      printf 'http://a/2\\nhttp://a/3\\n' | urlmill dedupe --seen keys >> whole`;
    expect(after(script, "whole")).toBe(`http://a/0\n${LINES}http://a/to\nhttp://a/3\n`);
  });

  test("gets a line end, and says so, where the system does not let its last line be read", () => {
    const patch = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      for (const name of ["openSync", "readFileSync"]) {
        const original = fs[name];
        fs[name] = (path, ...rest) => {
          if (/^\\/(dev|proc)\\//.test(path)) throw new Error("no such thing here");
          return original(path, ...rest);
        };
      }
      syncBuiltinESMExports();`;
    const options = `--import data:text/javascript,${encodeURIComponent(patch).replaceAll("'", "%27")}`;
    const script = `export NODE_OPTIONS='${options}'; urlmill dedupe list >> whole`;
    const { code, stderr } = runShell(script, folder);
    expect(stderr).toMatch(
      /^urlmill: the file that is appended to cannot be read; a line end .*\n$/,
    );
    expect(code).toBe(0);
    expect(readFileSync(path("whole"), "utf8")).toBe(`http://a/0\n\n${LINES}`);
  });
});
