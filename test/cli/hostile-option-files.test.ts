import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, shareOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// What is quadratic takes minutes, so it ends at the time limit of a test.

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

const ALIASES = "#urlmill-aliases 1\n";
const RULES = "#urlmill-rules 1\n";
const DROP = "a\t*\tdrop x\n";
const LONG = "y z".repeat(300_000);
/** Bytes of a line, and empty lines, of a file that is read all the same. */
const [LINE, LINES] = atLength([1_000_000, 300_000], [5_000_000, 1_000_000]);
const random = new Random(32);
const NOISE = Buffer.from(Array.from({ length: 100_000 }, () => random.below(256)));

describe.each(ENGINES)("a file of options from a stranger (%s)", (engine) => {
  const normalize = async (flag: string, text: string | Buffer, urls: string) => {
    const file = join(folder, "file");
    await writeFile(file, text);
    return runCli(["normalize", "--engine", engine, flag, file], urls);
  };

  const refused: [string, string | Buffer][] = [
    ["--page-aliases", NOISE],
    ["--rules", NOISE],
    ["--config", NOISE],
    ["--page-aliases", "\0".repeat(1_000_000)],
    ["--rules", "\0".repeat(1_000_000)],
    ["--page-aliases", `${ALIASES}a\t/x\t${LONG}\n`],
    ["--page-aliases", `${ALIASES}${LONG}\t/x\t/y\n`],
    ["--page-aliases", `${ALIASES}a\t/x\t/y\t${LONG}\n`],
    ["--page-aliases", `#urlmill-aliases ${LONG}\n`],
    ["--page-aliases", `${ALIASES}a\t/x\t/y${"\t".repeat(1_000_000)}\n`],
    ["--page-aliases", `${ALIASES}a\t/x\0\t/y\n`],
    ["--page-aliases", `${ALIASES}a\t/x\t/x\n`],
    ["--page-aliases", `${ALIASES}${"a\t/x\t/y\n".repeat(50_000)}`],
    ["--page-aliases", `${ALIASES}a\t/x\t/y\na\t/y\t/z\na\t/z\t/x\n`],
    ["--rules", `${RULES}${LONG}\t*\tsort\n`],
    ["--rules", `${RULES}a\t${LONG}\tsort\n`],
    ["--rules", `${RULES}\tnot\t/a\n`],
    ["--rules", `${RULES}${DROP}\tnot\t/a\0b\n`],
    ["--rules", `${RULES}${DROP}\tnot\t/${LONG}\n`],
    ["--rules", `${RULES}${DROP}${"\tnot\t/a?x=1\n".repeat(50_000)}`],
    ["--config", `{"preset":"${LONG}"}`],
    ["--config", `{"${LONG}":1}`],
  ];
  test.each(shareOf(refused, engine))(
    "is refused in one line of a few hundred words (%s)",
    async (flag, text) => {
      const { code, stdout, stderr } = await normalize(flag, text, "http://a/x\n");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^urlmill: [^\n\0]+\n$/);
      expect(stderr.length).toBeLessThan(6_000);
    },
  );

  const taken: [string, string][] = [
    ["--page-aliases", `${ALIASES}a\t/x\t/${"y".repeat(LINE)}\n`],
    ["--rules", `${RULES}${DROP}\tnot\t/${"y".repeat(LINE)}\n`],
    ["--page-aliases", `${ALIASES}${"\n".repeat(LINES)}`],
  ];
  test.each(shareOf(taken, engine))(
    "may have a line or a number of lines that no URL needs (%s)",
    async (flag, text) => {
      const { code, stdout } = await normalize(flag, text, "http://a/z\n");
      expect({ code, stdout }).toEqual({ code: 0, stdout: "http://a/z\n" });
    },
  );

  test("may name what objects of JavaScript have", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const aliases = names.map((name) => `a\t/${name}\t/k-${name}\n`).join("");
    const urls = names.map((name) => `http://a/${name}\n`).join("");
    expect((await normalize("--page-aliases", ALIASES + aliases, urls)).stdout).toBe(
      urls.replaceAll("a/", "a/k-"),
    );
    const rules = `a\t*\tdrop ${names.join(",")}\n\tnot\t/kept?__proto__=1\n`;
    const queries = `${names.map((name) => `http://a/?${name}=1\n`).join("")}http://a/kept?__proto__=1&toString=2\n`;
    expect((await normalize("--rules", RULES + rules, queries)).stdout).toBe(
      `${"http://a/\n".repeat(names.length)}http://a/kept\n`,
    );
  });
});
