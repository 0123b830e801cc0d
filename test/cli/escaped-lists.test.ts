// At full length only: it writes every list of every command.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unescapeLine } from "../../src/io/text/line-escape.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const linesOf = (name: string): string[] =>
  readFileSync(path(name), "latin1").split("\n").slice(0, -1);

/** Every byte but LF and the colon of a URL, and what a terminal obeys or hides as UTF-8. */
const BYTES = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
  (byte) => byte !== "\n" && byte !== ":",
);
const HOSTILE = Buffer.from("\u009b2J\u202egpj\u2069\u2028\ufeff").toString("latin1");
const TEXTS = [...BYTES.map((byte) => `x${byte}y`), HOSTILE, "\\x1b", "\\\\", "x\ry"];

function expectSafe(name: string): void {
  const text = readFileSync(path(name)).toString();
  expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\ufffd]/u);
}

test.each(["wasm", "js"])(
  "a list of errors has each line in a line, and every byte comes back (%s)",
  async (engine) => {
    for (const format of ["lines", "cdx"]) {
      const texts = format === "cdx" ? TEXTS.filter((text) => !text.includes(" ")) : TEXTS;
      const input = texts
        .map((text) => (format === "cdx" ? `k 1 ${text} m s k S\n` : `${text}\n`))
        .join("");
      const args = ["--engine", engine, "--format", format, "--errors", path("errors")];
      expect((await runCli(["normalize", ...args], input)).stdout).toBe(input);
      expectSafe("errors");
      const listed = linesOf("errors").map((line) => line.split("\t"));
      expect(listed.length).toBe(texts.length);
      for (const [index, [number, code, ...text]] of listed.entries()) {
        expect([number, code]).toEqual([String(index + 1), expect.stringMatching(/^[A-Z_0-9]+$/)]);
        expect(unescapeLine(text.join("\t"))).toBe(texts[index]);
      }
    }
  },
);

test.each(["wasm", "js"])("what only a key has to be escaped is escaped (%s)", async (engine) => {
  const host = "\u0915\u094d\\xe2\\x80\\x8d\u0937.com";
  for (const [flag, url, key] of [
    [["--unicode-hosts"], "http://xn--11b2ezcw70k.com/", `http://${host}/`],
    [["--form", "urlkey"], "http://a/%5Cx", "a)/\\\\x"],
  ] as const) {
    for (const [format, line] of [
      ["lines", url],
      ["jsonl", `{"url":"${url}"}`],
      ["csv", `1,${url}`],
      ["tsv", `1\t${url}`],
    ] as const) {
      const flags = ["--engine", engine, "--format", format, ...flag, "--map", path("map"), "-q"];
      if (format === "csv" || format === "tsv") flags.push("--field", "2");
      await runCli(["dedupe", ...flags], `${line}\n`.repeat(4));
      expect(readFileSync(path("map"), "utf8")).toBe(`${key}\t${line}\n`.repeat(3));
    }
  }
});

test("the text of a line over the limit comes back too, wherever it is cut", async () => {
  const text = `${HOSTILE}\u00c3\u00a9\\`.repeat(atLength(12_500, 60_000));
  await runCli(["normalize", "--max-length", "100", "--errors", path("long")], `${text}\r\n`);
  expectSafe("long");
  const [line = ""] = linesOf("long");
  expect(line.startsWith("1\tTOO_LONG\t")).toBe(true);
  expect(unescapeLine(line.slice("1\tTOO_LONG\t".length))).toBe(text);
});

test("the text of a record that has line ends in it comes back", async () => {
  const entry = "<url>\n <lastmod>1</lastmod>\r\n</url>";
  await runCli(
    ["normalize", "--format", "sitemap", "--errors", path("sitemap")],
    `<urlset>${entry}</urlset>`,
  );
  expect(linesOf("sitemap").map(unescapeLine).join("")).toBe(`2\tNO_FIELD\t${entry}`);
});

/** Lines that normalizing makes equal, with what a terminal obeys in them. */
const EQUAL = BYTES.filter(
  (byte) => byte >= "\x80" || byte < "\x20" || byte === "\x7f" || byte === "\\",
)
  .map((byte) => `http://a/\u00c3\u00a9${byte < "\x80" ? byte : `\xc2${byte}`}z`)
  .filter((url) => Buffer.from(url, "latin1").toString().includes("\ufffd") === false)
  .flatMap((url) => [url, `HTTP://A/${url.slice("http://a/".length)}`]);

test("merged lines are listed in a line each, and every byte comes back", async () => {
  const input = EQUAL.map((url) => `${url}\n`).join("");
  const { stdout } = await runCli(["dedupe", "--format", "lines", "--map", path("map")], input);
  expectSafe("map");
  const merged = linesOf("map").map((line) => unescapeLine(line.slice(line.indexOf("\t") + 1)));
  expect([...merged, ...stdout.split("\n").slice(0, -1)].toSorted()).toEqual(EQUAL.toSorted());
  expect(merged.length).toBeGreaterThan(50);
});

test("lines that rules would merge are listed in a line each, and every byte comes back", async () => {
  writeFileSync(path("rules"), "#urlmill-rules 1\na\t*\tdrop sid\n");
  const lines = TEXTS.filter((text) => !/[\r\t]/.test(text)).map((text) => `http://a/?q=${text}`);
  const input = lines
    .flatMap((line) => [`${line}\r\n`, `${line.replace("?", "?sid=1&")}\r\n`])
    .join("");
  const { stdout } = await runCli(
    ["dedupe", "--format", "lines", "--rules", path("rules"), "--shadow", path("shadow")],
    input,
  );
  expectSafe("shadow");
  const listed = linesOf("shadow").map((line) => unescapeLine(line.split("\t")[1] as string));
  expect(listed.length).toBeGreaterThan(50);
  const written = new Set(stdout.split("\r\n"));
  for (const line of listed) expect(written.has(line)).toBe(true);
});

test("files of rules, evidence and pairs that are learned hold nothing hidden", async () => {
  const texts = sampleOf(TEXTS, 2).filter((text) => !/[\t\r]/.test(text));
  const rows = texts.flatMap((text, t) => [
    `http://a.org/${text}/?t=${t}&s${text}=1\tcls:${text}${t}`,
    `http://a.org/${text}/?t=${t}\tcls:${text}${t}`,
  ]);
  writeFileSync(path("list.tsv"), Buffer.from(`url\tfp\n${rows.join("\n")}\n`, "latin1"));
  const rows2 = Array.from({ length: 40 }, (_, t) =>
    ["", `&s\x1b${HOSTILE}=${t}`].map((sid) => `http://b.org/?t=${t}${sid}\tcls:${t}\n`).join(""),
  );
  writeFileSync(path("list2.tsv"), Buffer.from(`url\tfp\n${rows2.join("")}`, "latin1"));
  for (const list of ["list.tsv", "list2.tsv"].map(path)) {
    await runCli(["learn", list, "-o", path("learned")]);
    await runCli(["learn", list, "--json", "-o", path("learned.json")]);
    await runCli(["learn", "mine", list, "-o", path("mined")]);
    await runCli(["learn", "count", "--rules", path("mined"), list, "-o", path("counted")]);
    await runCli(["learn", "plan", "--rules", path("mined"), list, "-o", path("pairs")]);
    await runCli([
      "learn",
      "export",
      "--to",
      "nutch",
      "--rules",
      path("mined"),
      "-o",
      path("nutch"),
    ]);
    await runCli([
      "learn",
      "export",
      "--to",
      "clean-param",
      "--rules",
      path("mined"),
      "-o",
      path("robots"),
    ]);
    for (const name of ["learned", "learned.json", "mined", "counted", "pairs", "nutch", "robots"])
      expectSafe(name);
  }
  expect(linesOf("learned").length).toBeGreaterThan(1);
  expect(linesOf("pairs").length).toBeGreaterThan(2);
});

test("fingerprints with tabs and line ends count as they are, in one step and in three", async () => {
  const rows = Array.from({ length: 30 }, (_, t) =>
    ["", "&sid=1"].map(
      (sid) =>
        `${JSON.stringify({ url: `http://a.org/?t=${t}${sid}`, fp: `text:\t\n\\x09${t}` })}\n`,
    ),
  );
  writeFileSync(path("list.jsonl"), rows.flat().join(""));
  const learned = await runCli(["learn", path("list.jsonl")]);
  expect(learned.stdout).toContain("drop sid");
  await runCli(["learn", "mine", path("list.jsonl"), "-o", path("mined")]);
  await runCli([
    "learn",
    "count",
    "--rules",
    path("mined"),
    path("list.jsonl"),
    "-o",
    path("counted"),
  ]);
  expect((await runCli(["learn", "select", path("counted")])).stdout).toBe(learned.stdout);
});
