import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse, watJson, watRecord } from "../shared/warc.ts";

const folder = tempFolder();
const file = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof text === "string" ? Buffer.from(text, "latin1") : text);
  return path;
};
const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/archives/${name}`, import.meta.url));

/** Records as archives have them: each in a gzip member of its own. */
const members = (records: readonly string[]) =>
  Buffer.concat(records.map((record) => gzipSync(Buffer.from(record, "latin1"))));

test("dedupe makes a list of a WAT file's links in one command", async () => {
  const input = fixture("iipc-IAH-urls-wget.warc.wat.gz");
  const whole = await runCli(["dedupe", "--format", "wat", input]);
  const urls = whole.stdout.split("\n").slice(0, -1);
  expect(whole).toMatchObject({ code: 0, stderr: "" });
  expect(urls.length).toBeGreaterThan(80);
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls.every((url) => /^https?:\/\/[^\s]+$/.test(url))).toBe(true);
  const piped = await runCli(["dedupe", "--format", "wat", "--threads", "2"], readFileSync(input));
  expect(piped.stdout).toBe(whole.stdout);
});

test("normalize writes the URLs of all members of a WARC file, one a line, also with its key", async () => {
  const warc = members([
    warcResponse("HTTP://A.com"),
    warcResponse("http://b.com/x"),
    warcResponse("c"),
  ]);
  const input = file("a.warc.gz", warc);
  const { stdout, stderr } = await runCli([
    "normalize",
    "--format",
    "warc",
    input,
    fixture("warcio-example.warc.gz"),
  ]);
  expect(stdout).toBe("http://a.com/\nhttp://b.com/x\nc\nhttp://example.com/\n");
  expect(stderr).toContain("1 line is not a URL");
  const both = await runCli(["normalize", "--format", "warc", "--emit", "both", input]);
  expect(both.stdout).toBe("http://a.com/\tHTTP://A.com\nhttp://b.com/x\thttp://b.com/x\n\tc\n");
});

test("a damaged record is named and counted, and the run goes on", async () => {
  const records = [
    watRecord("http://a/", ["1"]),
    watJson("http://b/", "{"),
    watRecord("http://c/", ["3"]),
  ];
  const input = file("damaged.wat.gz", members(records));
  const { code, stdout, stderr } = await runCli(["dedupe", "--format", "wat", "--stats", input]);
  expect(code).toBe(0);
  expect(stdout).toBe("http://a/1\nhttp://c/3\n");
  const at = (records[0] as string).length;
  expect(stderr).toContain(
    `urlmill: ${input}: record 2 <urn:http://b/> at byte ${at}: its content is not JSON; the run goes on with the next record\n`,
  );
  expect(JSON.parse(stderr.slice(stderr.indexOf('{"lines')))).toMatchObject({
    lines: 2,
    damagedRecords: 1,
  });
  const strict = await runCli(["dedupe", "--format", "wat", "--on-error", "fail", input]);
  expect(strict).toMatchObject({ code: 1, stdout: "http://a/1\n" });
  expect(strict.stderr).toContain("its content is not JSON; stopped (--on-error fail)");
});

test("of many damaged records ten are named and all are counted", async () => {
  const input = file("many.wat", watJson("http://b/", "{").repeat(25));
  const { stderr } = await runCli(["dedupe", "--format", "wat", input]);
  expect(stderr.split("not JSON").length - 1).toBe(10);
  expect(stderr).toContain("25 records could not be read whole; the first 10 are named above\n");
});

test("what is not an archive is refused with its name, and an option that archives do not have", async () => {
  const list = await runCli(["dedupe", "--format", "wat"], "http://a/\n");
  expect(list).toMatchObject({ code: 2, stdout: "" });
  expect(list.stderr).toContain("standard input: it is not a WARC file: it begins with");
  const arc = await runCli(["dedupe", "--format", "warc", fixture("warcio-example.arc.gz")]);
  expect(arc.stderr).toContain("it is an ARC file, which is not read; make it WARC first");
  const field = await runCli(["dedupe", "--format", "warc", "--field", "1"], "");
  expect(field.stderr).toContain("warc has its URL in one place");
  const header = await runCli(["dedupe", "--format", "wat", "--header"], "");
  expect(header).toMatchObject({ code: 2 });
});

/** An archive of 40 records in members, of which some are damaged, and where those begin. */
function damagedMembers(): { input: string; damaged: number[] } {
  const all = Array.from({ length: 40 }, (_, n) => members([warcResponse(`http://a/${n}`)]));
  const starts = all.map((_, at) => Buffer.concat(all.slice(0, at)).length);
  const bytes = Buffer.concat(all);
  const damaged = [7, 8, 20];
  for (const at of damaged) {
    const end = starts[at + 1] as number;
    bytes.fill(0xff, end - 20, end - 8);
  }
  return {
    input: file("members.warc.gz", bytes),
    damaged: damaged.map((at) => starts[at] as number),
  };
}

test("a damaged gzip member of an archive is named by its byte, and the run goes on with the next record", async () => {
  const { input, damaged } = damagedMembers();
  // Their headers can be read: the damage comes after them.
  const expected = Array.from({ length: 40 }, (_, n) => `http://a/${n}\n`).join("");
  const calls = [
    [["--format", "warc", input], ""],
    [[input], ""],
    [[], readFileSync(input)],
    [["--format", "warc"], readFileSync(input)],
    [["--repeated", "--format", "warc", input, "-"], readFileSync(input)],
  ] as const;
  for (const [args, stdin] of sampleOf(calls, 2)) {
    const run = await runCli(["dedupe", "--stats", ...args], stdin);
    expect({ args, code: run.code, stdout: run.stdout }).toEqual({
      args,
      code: 1,
      stdout: expected,
    });
    for (const at of damaged) {
      expect(run.stderr).toMatch(
        new RegExp(
          `: damaged gzip member at byte ${at}: .*; the run goes on with the next record\n`,
        ),
      );
    }
    const count = args.includes("-" as never) ? 6 : 3;
    expect(run.stderr).toContain(`urlmill: ${count} gzip members are damaged, as said above\n`);
    expect(run.stderr).toContain(`"damagedRecords":${count},"damagedMembers":${count}`);
  }
  const out = join(folder, "members.txt");
  expect(await runCli(["dedupe", input, "-o", out])).toMatchObject({ code: 1 });
  expect(readFileSync(out, "utf8")).toBe(expected);
});

test("--on-error fail stops at a damaged gzip member, and a list stops always", async () => {
  const { input, damaged } = damagedMembers();
  const strict = await runCli(["dedupe", "--on-error", "fail", input]);
  expect(strict).toMatchObject({ code: 1 });
  expect(strict.stdout).toMatch(/^http:\/\/a\/0\n(?:.*\n)*http:\/\/a\/7\n$/);
  expect(strict.stderr).toContain(`member at byte ${damaged[0]}: `);
  expect(strict.stderr).toContain("; stopped (--on-error fail)");
  const list = Buffer.concat([
    gzipSync("http://a/\n"),
    gzipSync("http://b/\n"),
    gzipSync("http://c/\n"),
  ]);
  list.fill(0xff, gzipSync("http://a/\n").length + 12, gzipSync("http://a/\n").length + 16);
  const path = file("list.gz", list);
  const out = join(folder, "list.txt");
  for (const args of [[path], [path, "-o", out], [path, "--format", "lines"]]) {
    const { code, stderr } = await runCli(["dedupe", ...args]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: `urlmill: cannot read ${path}: its compressed data are damaged\n`,
    });
  }
  expect(existsSync(out)).toBe(false);
});

test("an archive that is read as a list is refused where it has damage in its first bytes, too", async () => {
  const { input } = damagedMembers();
  for (const stdin of ["", readFileSync(input)]) {
    const args = stdin === "" ? [input] : [];
    const run = await runCli(["dedupe", "--format", "lines", ...args], stdin);
    expect(run.code).not.toBe(0);
    expect(run.stdout).toBe("");
  }
});

test("a gzip file that is cut off gives what is before, and an error", async () => {
  const whole = members([
    watRecord("http://a/", ["1"]),
    watRecord("http://a/", ["x".repeat(5_000)]),
  ]);
  const input = file("cut.wat.gz", whole.subarray(0, -9));
  const { code, stdout, stderr } = await runCli(["dedupe", "--format", "wat", input]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^http:\/\/a\/1\n/);
  expect(stderr).toMatch(/: damaged gzip member at byte \d+: it ends too early;/);
});

test.each([
  ["a file", "plain.warc", false],
  ["a compressed file", "packed.warc.gz", true],
])(
  "an archive that is read as a list is refused with the option to add: %s",
  async (_, name, isPacked) => {
    const record = warcResponse("http://a/");
    const input = file(name, isPacked ? members([record]) : record);
    for (const args of [
      [input],
      [input, "-o", join(folder, "out.txt")],
      [input, "--threads", "2"],
    ]) {
      const { code, stdout, stderr } = await runCli(["dedupe", "--format", "lines", ...args]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toBe(
        `urlmill: ${input}: it is a web archive; add --format warc for its pages, or --format wat for the links in a WAT file\n`,
      );
    }
  },
);
