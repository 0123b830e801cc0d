import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

const JSONL = '{"url":"http://a/","id":1}\n{"id":2,"url":"http://b/"}\n';
const CSV = "a,http://a/\nb,http://b/\n";
const CASES = [
  ["jsonl", "uri", JSONL, "the field uri: the first one has url, id; did you mean url?"],
  ["jsonl", "page.url", JSONL, "the field page.url: the first one has url, id"],
  ["jsonl", "url", '{"a":1}\n\n', "the field url: the first one has a"],
  ["jsonl", "id", JSONL, "a text in the field id: the first one has url, id"],
  ["jsonl", "url", "{\n", "the field url"],
  ["csv", "9", CSV, "a field number 9: the first one has 2 fields"],
  ["tsv", "3", "a\thttp://a/\n", "a field number 3: the first one has 2 fields"],
  ["TabSeparated", "3", "a\thttp://a/\n", "a field number 3: the first one has 2 fields"],
  ["cdxj", "uri", 'a)/ 2020 {"url":"http://a/"}\n', "the field uri"],
] as const;

describe.each(ENGINES)("a list in which no record has the field (%s)", (engine) => {
  test.each(shareOf(CASES, engine))("%s, --field %s: %j", async (format, field, text, said) => {
    const flags = ["--engine", engine, "--format", format, "--field", field];
    const message = expect.stringMatching(new RegExp(`urlmill: no record has ${escaped(said)}\n$`));
    const inputs = [
      [file("list", text), ""],
      [file("list.gz", gzipSync(text)), ""],
      ["-", text],
    ] as const;
    for (const [input, pipe] of inputs) {
      const result = await runCli(["normalize", ...flags, input], pipe);
      expect(result).toEqual({ code: 1, stdout: text, stderr: message });
    }
  });

  const flags = [["--keep", "last"], ["--threads", "2"], ["--stats"], ["--on-error", "empty"]];
  test.each(shareOf(flags, engine))("is reported by dedupe %s %s", async (...more) => {
    const args = ["dedupe", "--engine", engine, "--field", "uri", file("list.jsonl", JSONL)];
    const { code, stdout, stderr } = await runCli([...args, ...more]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("the first one has url, id; did you mean url?\n"),
    });
    expect(stdout).toBe(more[0] === "--on-error" ? "" : JSONL);
  });
});

test("the output is written all the same", async () => {
  const out = join(folder, "out.jsonl");
  const { code } = await runCli(["dedupe", "--field", "uri", file("in.jsonl", JSONL), "-o", out]);
  expect({ code, text: readFileSync(out, "utf8") }).toEqual({ code: 1, text: JSONL });
});

test.each([
  ["jsonl", "url", '{"id":1}\n{"url":"not"}\n'],
  ["jsonl", "url", '{"id":1}\n{"url":"http://a/"}\n'],
  ["jsonl", "url", ""],
  ["csv", "2", "a\nb,http://a/\n"],
  ["csv", "url", "url,a\n"],
  ["crawl-log", null, "x\n"],
] as const)(
  "a list with one such record, or none at all, is no failure: %s, %s, %j",
  async (format, field, text) => {
    const flags = field === null ? [] : ["--field", field];
    for (const more of [[], [file("in", text)]]) {
      const args = ["dedupe", "--format", format, ...flags, ...more];
      expect((await runCli(args, text)).code).toBe(0);
    }
  },
);

test("files of which the first has no such record are one list", async () => {
  const files = [file("1.jsonl", '{"id":1}\n'), file("2.jsonl", JSONL)];
  expect((await runCli(["dedupe", "--field", "url", ...files])).code).toBe(0);
});

function escaped(text: string): string {
  return text.replaceAll(/[?.]/g, "\\$&");
}
