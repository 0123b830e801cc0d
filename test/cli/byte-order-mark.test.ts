import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

const MARK = "\xef\xbb\xbf";
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test.each([
  ["lines", "HTTP://A\n", "http://a/\n"],
  ["tsv", "HTTP://A\tx\n", "http://a/\tx\n"],
  ["jsonl", '{"url":"HTTP://A"}\n', '{"url":"http://a/"}\n'],
  ["cdx", " CDX N b a\na)/ 1 HTTP://A\n", " CDX N b a\na)/ 1 http://a/\n"],
  ["cdxj", '!h\na)/ 1 {"url":"HTTP://A"}\n', '!h\na)/ 1 {"url":"http://a/"}\n'],
  ["sitemap", "<url><loc>HTTP://A</loc></url>", "<url><loc>http://a/</loc></url>"],
])(
  "a byte order mark is not part of the first record of %s, and is not written",
  async (format, text, expected) => {
    const args = ["normalize", "--on-error", "fail", "--format", format];
    const marked = latin1(MARK + text);
    for (const engine of atLength(["wasm"], ["wasm", "js"])) {
      const fromPipe = await runCli([...args, "--engine", engine], marked);
      expect(fromPipe).toEqual({ code: 0, stdout: expected, stderr: "" });
    }
    expect((await runCli([...args, file("plain", marked)])).stdout).toBe(expected);
    expect((await runCli([...args, file("a.gz", gzipSync(marked))])).stdout).toBe(expected);
  },
);

test("the mark of each of several files goes, and other marks are data", async () => {
  const one = file("one", latin1(`${MARK}http://a/\n`));
  const two = file("two", latin1(`${MARK}http://a/\n${MARK}http://b/\n`));
  expect((await runCli(["dedupe", one, two])).stdout).toBe(`http://a/\n${MARK}http://b/\n`);
});

test("a file of a mark alone, or of the beginning of one, is read", async () => {
  expect(await runCli(["normalize", "--quiet"], latin1(MARK))).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect((await runCli(["normalize"], latin1(MARK.slice(0, 2)))).stdout).toBe(
    `${MARK.slice(0, 2)}\n`,
  );
});

test("learn and hosts read a list after a mark", async () => {
  const rows = Array.from(
    { length: 30 },
    (_, t) => `http://a.org/?t=${t}&sid=1\tcls:${t}\nhttp://a.org/?t=${t}\tcls:${t}\n`,
  );
  const list = file("list.tsv", latin1(`${MARK}url\tfp\n${rows.join("")}`));
  const { stdout } = await runCli(["learn", list]);
  expect(stdout).toMatch(/^#urlmill-rules 1\na\.org\t.*drop sid/);
  expect(
    (
      await runCli(
        ["hosts", "--server", "127.0.0.1:9", "--timeout", "1"],
        latin1(`${MARK}http://192.0.2.1/\n`),
      )
    ).stdout,
  ).toMatch(/^# 192\.0\.2\.1 /);
});

test("files of options are read after a mark", async () => {
  const rules = file("rules.tsv", latin1(`${MARK}#urlmill-rules 1\na.org\t*\tdrop sid\n`));
  const config = file("config.json", latin1(`${MARK}{"www":"remove"}`));
  const hosts = file("hosts", latin1(`${MARK}192.0.2.1 a.org\n`));
  const args = ["normalize", "--rules", rules, "--config", config, "--hosts-file", hosts];
  expect(await runCli(args, "http://192.0.2.1/?sid=1\nhttp://www.b.org/\n")).toEqual({
    code: 0,
    stdout: "http://a.org/\nhttp://b.org/\n",
    stderr: "",
  });
  const out = join(folder, "pairs.tsv");
  await runCli(["learn", "plan", "--rules", rules, "-o", out], "http://a.org/?sid=1\n");
  expect(readFileSync(out, "utf8")).toContain("drop sid");
});
