// At full length only: it starts shells.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const folder = tempFolder();

const script = async (shell: string): Promise<string> => {
  const { stdout } = await runCli(["completion", shell]);
  const file = join(folder, shell);
  writeFileSync(file, Buffer.from(stdout, "latin1"));
  return file;
};

const hasShell = (shell: string): boolean =>
  isHere(shell, spawnSync(shell, ["--version"]).error === undefined);

/** What is completed to, by the words of the line so far. */
const CASES: [words: string[], expected: string[]][] = [
  [["ded"], ["dedupe"]],
  [["dedupe", "--see"], ["--seen"]],
  [["normalize", "--see"], []],
  [
    ["dedupe", "--preset", "c"],
    ["crawl", "c14n"],
  ],
  [
    ["normalize", "--emit", ""],
    ["normalized", "normalized-url", "both", "url"],
  ],
  [["dedupe", "--emit", "o"], ["original"]],
  [["learn", "ver"], ["verdict"]],
  [["learn", "plan", "--pai"], ["--pairs"]],
  [["plan", "--pai"], []],
  [["seen", "ver"], ["verify"]],
  [["seen", "convert", "--sto"], ["--store"]],
  [["seen", "convert", "--store", "l"], ["lmdb"]],
  [["seen", "info", "--sto"], []],
  [["completion", "f"], ["fish"]],
  [
    ["help", "sch"],
    ["schema", "scheme", "schemeCase"],
  ],
];

describe.skipIf(!hasShell("bash"))("bash", () => {
  test.each(CASES)("completes %j", async (words, expected) => {
    const line = ["urlmill", ...words];
    const call = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _urlmill; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ["--norc", "-c", call, "bash", await script("bash"), ...line];
    const { stdout, stderr } = spawnSync("bash", args, { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout.split("\n").filter(Boolean).sort()).toEqual(expected.toSorted());
  });

  test("completes a value after =, which bash takes for a word", async () => {
    const call = `source "$1"; COMP_WORDS=(urlmill dedupe --preset = cr); COMP_CWORD=4; _urlmill; echo "\${COMPREPLY[@]}"`;
    const args = ["--norc", "-c", call, "bash", await script("bash")];
    expect(spawnSync("bash", args, { encoding: "utf8" }).stdout).toBe("crawl\n");
  });
});

describe.skipIf(!hasShell("fish"))("fish", () => {
  test.each(CASES)("completes %j", async (words, expected) => {
    const call = `source ${await script("fish")}; complete -C ${JSON.stringify(["urlmill", ...words].join(" "))}`;
    const { stdout } = spawnSync("fish", ["--no-config", "-c", call], {
      encoding: "utf8",
      cwd: folder,
    });
    const found = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0]);
    const here = ["bash", "fish", "zsh"];
    const names =
      words[0] === "learn" ? found.filter((name) => !here.includes(name as string)) : found;
    expect(names.toSorted()).toEqual(expected.toSorted());
  });
});

describe.skipIf(!hasShell("zsh"))("zsh", () => {
  test("reads the script and finds its functions", async () => {
    const call = `autoload -U compinit; compinit -D; source ${await script("zsh")}; echo $_comps[urlmill]`;
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", call], { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["_urlmill\n", ""]);
  });
});

describe("PowerShell, by the tables of its script", () => {
  /** The entries of a table: words by names. */
  const tableOf = (text: string, name: string): [string, string[]][] => {
    const [, body = ""] = new RegExp(`\\$${name} = @\\{\n([^]*?)\n  \\}`).exec(text) ?? [];
    return body.split("\n").map((line) => {
      const [, key = "", list = ""] = /^ {4}'([^']+)' = @\((.*)\)$/.exec(line) ?? [];
      return [key, [...list.matchAll(/'([^']*)'/g)].map(([, word]) => word as string)];
    });
  };
  const TABLES = ["flags", "values", "operands"] as const;

  test("has no two names that differ by case alone, which its tables would refuse", async () => {
    const { stdout } = await runCli(["completion", "powershell"]);
    for (const table of TABLES) {
      const names = tableOf(stdout, table).map(([name]) => name.toLowerCase());
      expect(names.length).toBeGreaterThan(3);
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain("");
    }
  });

  test.each(CASES.filter(([words]) => words.length > 1))(
    "has the words of %j",
    async (words, expected) => {
      const { stdout } = await runCli(["completion", "powershell"]);
      const [flags, values, operands] = TABLES.map((name) => new Map(tableOf(stdout, name)));
      const before = words.slice(0, -1);
      const last = words.at(-1) as string;
      const command = flags?.has(before.slice(0, 2).join(" "))
        ? before.slice(0, 2).join(" ")
        : before[0];
      const found =
        values?.get(`${command} ${before.at(-1)}`) ??
        (last.startsWith("-") ? flags : operands)?.get(command as string) ??
        [];
      expect(found.filter((word) => word.startsWith(last)).toSorted()).toEqual(expected.toSorted());
    },
  );
});

test.each([[[]], [["tcsh"]], [["bash", "zsh"]]])("completion %j is a wrong call", async (args) => {
  expect(await runCli(["completion", ...args])).toEqual({
    code: 2,
    stdout: "",
    stderr: "urlmill: completion takes one shell: bash, zsh, fish, powershell\n",
  });
});
