import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { Options } from "../../playground/option-values.ts";
import { codeOf, commandOf } from "../../playground/same-elsewhere.ts";
import { createNormalizer } from "../../src/index.ts";
import { CLI_PATH } from "../shared/cli.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const URLS = linesOf(readCorpus()).slice(0, 500);
const LIST = [...URLS, "not a url", ...URLS.map((url) => `${url}#top`), "not a url"];
const RULES = "#urlmill-rules 1\na.example\t*\tdrop ref\n";
const ALIASES = "#urlmill-aliases 1\na.example\t/?p=1\t/news\n";

/** Returns the first line of each key, as the page saves them. */
function pageLines(lines: readonly string[], options: Options): string[] {
  const { urls } = createNormalizer(options).normalizeBatch(lines);
  return lines.filter((_, row) => urls[row] !== null && urls.indexOf(urls[row] ?? "") === row);
}

function runCommand(command: string): string[] {
  const script = command.replace("npx urlmill", `"${process.execPath}" "${CLI_PATH}"`);
  execFileSync("sh", ["-ec", script], { cwd: folder, stdio: "pipe" });
  return readFileSync(join(folder, "unique.txt"), "utf8").trimEnd().split("\n");
}

/** Runs a program that makes `unique` of `urls`. */
function runCode(code: string, urls: readonly string[]): string[] {
  const entry = pathToFileURL(join(CLI_PATH, "../../index.js")).href;
  const [imports, body] = [/^import .*$/gm, /^(?!import ).*$/gm].map((lines) =>
    (code.match(lines) ?? []).join("\n"),
  );
  const program = [
    imports?.replace('"urlmill"', `"${entry}"`),
    `const urls = ${JSON.stringify(urls)};`,
    body,
    "console.log(JSON.stringify(unique));",
  ];
  writeFileSync(join(folder, "program.mjs"), program.join("\n"));
  const output = execFileSync(process.execPath, ["program.mjs"], { cwd: folder });
  return JSON.parse(output.toString());
}

describe.skipIf(process.platform === "win32")("in a shell", () => {
  const CASES: [string, Options, readonly string[]][] = [
    [
      "lists, pairs and options of sites",
      {
        preset: "aggressive",
        wwwDigits: true,
        dropParams: ["ref", "x_*"],
        hostAliases: { "b.example": "a.example", "*.c.example": "a.example" },
        sites: { "a.example": { www: "keep", dropParams: ["it's"] } },
        maxLength: 1000,
      },
      [...LIST, "http://b.example/?ref=1", "http://d.c.example/", "http://a.example/?it's=1"],
    ],
    [
      "rules and aliases",
      { preset: "safe", rules: RULES, pageAliases: ALIASES },
      [
        "http://a.example/?ref=1",
        "http://a.example/",
        "http://a.example/?p=1",
        "http://a.example/news",
      ],
    ],
    ["a preset", { preset: "crawl" }, LIST],
  ];

  test("the command leaves a list alone that has the name of its output", () => {
    const list = "http://a.example/\nHTTP://A.example\n";
    writeFileSync(join(folder, "unique.txt"), list);
    const same = { name: "unique.txt", options: { preset: "crawl" }, hasErrors: false };
    expect(() => runCommand(commandOf(same))).toThrow("write another file");
    expect(readFileSync(join(folder, "unique.txt"), "utf8")).toBe(list);
  });

  test.each(CASES.slice(0, atLength(2, 3)))(
    "command and program write the lines that the page saves: %s",
    (_, options, lines) => {
      writeFileSync(join(folder, "my urls.txt"), lines.map((line) => `${line}\n`).join(""));
      writeFileSync(join(folder, "rules.tsv"), RULES);
      writeFileSync(join(folder, "aliases.tsv"), ALIASES);
      const expected = pageLines(lines, options);
      const same = { name: "my urls.txt", options, hasErrors: expected.length < lines.length };
      expect(expected.length).toBeGreaterThan(1);
      expect(runCommand(commandOf(same))).toEqual(expected);
      expect(runCode(codeOf(same), lines)).toEqual(expected);
    },
  );
});
