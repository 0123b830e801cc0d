import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type CliResult, runCliIn, runShell } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const LIST = "HTTP://A.com\nhttp://b.com/\nhttp://192.0.2.1/\n";
const RULES = "#urlmill-rules 1\n";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(path("f"), LIST);
  writeFileSync(path("other"), LIST);
  writeFileSync(path("rules"), RULES);
  writeFileSync(path("hosts"), "192.0.2.1 a.com\n");
  writeFileSync(path("config.json"), '{"preset": "crawl"}');
  writeFileSync(path("evidence"), "");
  linkSync(path("f"), path("hard"));
  symlinkSync(path("f"), path("soft"));
});

const READ_AND_WRITTEN = [
  "urlmill normalize -o f < f",
  "urlmill dedupe -o f < f",
  "urlmill normalize --errors f < f",
  "urlmill dedupe --map f < f",
  "urlmill dedupe --report f < f",
  "urlmill dedupe --rules rules --shadow f < f",
  "urlmill normalize -o f - other < f",
  "urlmill normalize -o hard f",
  "urlmill normalize -o soft < f",
  "urlmill normalize -o f /dev/stdin < f",
  "urlmill normalize -o /dev/stdin < f",
  "urlmill normalize f >> f",
  "urlmill dedupe f >> f",
  "urlmill normalize < f >> f",
  "urlmill normalize f 1<> f",
  "urlmill normalize f --errors - -o x >> f",
  "urlmill normalize f --errors /dev/stdout -o x >> f",
  "urlmill hosts f >> f",
  "urlmill hosts < f >> f",
  "urlmill learn -o f < f",
  "urlmill learn --report f -o x < f",
  "urlmill learn f >> f",
  "urlmill learn mine -o f < f",
  "urlmill learn import --from nutch -o f < f",
  "urlmill learn verdict -o f < f",
  "urlmill learn select -o f < f",
];

/** Runs a script: in a shell where it redirects, else in this process. */
async function run(script: string): Promise<CliResult> {
  const isCall = script.startsWith("urlmill ") && !/[<>|;*]/.test(script);
  return isCall ? runCliIn(folder, script.slice("urlmill ".length)) : runShell(script, folder);
}

// Linux and macOS name descriptors as files, other systems do not.
describe.runIf(process.platform !== "win32")("a file that a run reads", () => {
  test.each(sampleOf(READ_AND_WRITTEN, 9))("is not written by it: %s", async (script) => {
    const { code, stderr } = await run(script);
    expect(stderr).toMatch(/^urlmill: .* cannot be read and written by the same run; .*\n$/);
    expect(code).toBe(2);
    expect(readFileSync(path("f"), "utf8")).toBe(LIST);
  });

  test.each(
    sampleOf(
      [
        ["rules", "urlmill normalize --rules rules other -o rules"],
        ["rules", "urlmill explain --rules rules http://a/ >> rules"],
        ["rules", "urlmill learn count --rules rules other -o rules"],
        ["rules", "urlmill learn export --to nutch --rules rules >> rules"],
        ["hosts", "urlmill normalize --hosts-file hosts other --errors hosts"],
        ["config.json", "urlmill dedupe --config config.json other --map config.json"],
      ],
      3,
    ),
  )("is not written by it where it is not a list: %s: %s", async (name, script) => {
    const before = readFileSync(path(name), "utf8");
    const { code, stderr } = await run(script);
    expect(stderr).toMatch(/^urlmill: .* cannot be read and written by the same run; .*\n$/);
    expect(code).toBe(2);
    expect(readFileSync(path(name), "utf8")).toBe(before);
  });

  test("is not written by it where it holds the keys of earlier runs", async () => {
    await run("urlmill dedupe --seen keys f");
    const [name] = readdirSync(path("keys"));
    const { code, stderr } = await run(`urlmill dedupe --seen keys other -o keys/${name}`);
    expect(stderr).toMatch(/^urlmill: keys\/.* cannot be read and written by the same run; .*\n$/);
    expect(code).toBe(2);
    const again = await run("urlmill dedupe --quiet --seen keys other");
    expect(again).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("is refused also where the shell has emptied it", () => {
    const { code, stderr } = runShell("urlmill normalize f > f", folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^urlmill: standard output cannot be read and written by the same run;/);
  });
});

describe.runIf(process.platform !== "win32")("a file that a run writes", () => {
  test.each(
    sampleOf(
      [
        "urlmill normalize f --errors new > new",
        "urlmill normalize f --errors - > new",
        "urlmill dedupe f --map soft2 -o soft3",
        "urlmill dedupe f --map folder/new -o same/new",
        "urlmill normalize f --errors - | cat",
      ],
      4,
    ),
  )("is not written twice by it: %s", async (script) => {
    mkdirSync(path("folder"));
    symlinkSync("folder", path("same"));
    for (const name of ["soft2", "soft3"]) symlinkSync("missing", path(name));
    const { stdout, stderr } = await run(script);
    expect(stderr).toMatch(/^urlmill: .* cannot be written twice by the same run; .*\n$/);
    expect(stdout).toBe("");
  });

  test.each(
    sampleOf(
      [
        "urlmill normalize f --errors /dev/null > /dev/null",
        "urlmill normalize f --errors - -o new > new2",
        "urlmill normalize < /dev/null > /dev/null",
        "urlmill dedupe f --map - -o /dev/null",
      ],
      3,
    ),
  )("may be a device, or another one: %s", async (script) => {
    expect(await run(script)).toMatchObject({ code: 0, stderr: "" });
  });
});
