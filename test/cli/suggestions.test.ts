import { expect, test } from "vitest";
import { nearest } from "../../src/base/nearest.ts";
import { runCli } from "../shared/cli.ts";

test.each([
  [
    ["normalize", "--schemes", "http"],
    "Unknown option '--schemes'; it is --allowed-schemes now; see urlmill normalize --help",
  ],
  [
    ["normalize", "--out", "x"],
    "Unknown option '--out'; it is --output now; see urlmill normalize --help",
  ],
  [
    ["dedupe", "--hosts", "x"],
    "Unknown option '--hosts'; it is --hosts-file now; see urlmill dedupe --help",
  ],
  [
    ["dedupe", "--aliases", "x"],
    "Unknown option '--aliases'; it is --page-aliases now; see urlmill dedupe --help",
  ],
  [
    ["dedupe", "--output", "surt"],
    "--output names the file to write; write --form surt (or --output ./surt for a file of that name)",
  ],
  [
    ["normalize", "--directory-index", "default"],
    "--directory-index default is --directory-index true now",
  ],
  [["normalize", "--accept", "E4"], 'option accept cannot be "E4": expected its new name, "size"'],
  [["dedup"], 'there is no command "dedup"; did you mean dedupe? See urlmill --help'],
  [["uniq"], 'there is no command "uniq"; did you mean dedupe? See urlmill --help'],
  [
    ["canonicalize"],
    'there is no command "canonicalize"; did you mean normalize? See urlmill --help',
  ],
  [
    ["example.com/a"],
    'there is no command "example.com/a"; write a URL with its scheme: urlmill https://example.com/a; see urlmill --help',
  ],
  [["frobnicate"], 'there is no command "frobnicate"; see urlmill --help'],
  [
    ["--preset", "crawl"],
    'there is no command "--preset", and options come after a command, such as normalize or dedupe; see urlmill --help',
  ],
  [
    ["dedupe", "--fromat", "csv"],
    "Unknown option '--fromat'; did you mean --format? See urlmill dedupe --help",
  ],
  [
    ["dedupe", "--keep-max", "date"],
    "Unknown option '--keep-max'; did you mean --keep? See urlmill dedupe --help",
  ],
  [
    ["explain", "--no-jsno", "http://a"],
    "Unknown option '--no-jsno'; did you mean --json? See urlmill explain --help",
  ],
  [
    ["normalize", "--seen", "x"],
    "Unknown option '--seen', which is for urlmill dedupe; see urlmill normalize --help",
  ],
  [["learn", "--fromat", "csv"], "did you mean --format? See urlmill learn --help"],
  [["dedupe", "--format", "jsnl"], 'not "jsnl"; did you mean jsonl?'],
  [["learn", "--by", "size"], 'not "size"; did you mean sizes?'],
  [
    ["learn", "mien"],
    '"mien" is not a part of learn, nor a file; did you mean mine? See urlmill learn --help',
  ],
  [["help", "learn", "conut"], "did you mean count? See urlmill learn --help"],
  [
    ["/dev/null"],
    'there is no command "/dev/null"; to read the file: urlmill normalize /dev/null; see urlmill --help',
  ],
  [["presets", "crowl"], "did you mean crawl?"],
])("%j is answered with what was meant", async (args, message) => {
  const { code, stdout, stderr } = await runCli(args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${message}\n`);
});

test("nearest counts a letter more, less, other or swapped as one edit each", () => {
  expect(nearest("formats", ["format"])).toBe("format");
  expect(nearest("fromat", ["format"])).toBe("format");
  expect(nearest("fxrmaxt", ["format"])).toBe("format");
  expect(nearest("fxrxaxt", ["format"])).toBeNull();
});

test("nearest takes the nearest of several, and the first of two as near", () => {
  expect(nearest("seed", ["seen", "feed", "seed"])).toBe("seed");
  expect(nearest("seet", ["seed", "seen"])).toBe("seed");
});

test("nearest has no answer where half of a short name would change", () => {
  expect(nearest("xy", ["by", "fp"])).toBeNull();
  expect(nearest("", ["by"])).toBeNull();
});

test("version is --version", async () => {
  const version = await runCli(["--version"]);
  for (const word of ["version", "-v", "-V"]) expect(await runCli([word])).toEqual(version);
});

test("a pipe without a command is told the commands for it", async () => {
  const { code, stdout, stderr } = await runCli([], "http://a/\n");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /^urlmill: which command\?\n.* \| urlmill normalize .*\n.* \| urlmill dedupe /,
  );
});

test("-p is --preset", async () => {
  expect((await runCli(["normalize", "-p", "crawl"], "http://a/#b\n")).stdout).toBe("http://a/\n");
});
