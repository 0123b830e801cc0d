import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const list = (count: number, fpOf: (n: number) => string | number) =>
  ["url\tfp", ...Array.from({ length: count }, (_, n) => `http://a.org/t?id=${n}\tcls:${fpOf(n)}`)]
    .map((line) => `${line}\n`)
    .join("");
/** Pairs of URLs with and without a session id, with fingerprints or alone. */
const pairs = (isKnown: boolean) =>
  (isKnown ? "url\tfp\n" : "") +
  Array.from({ length: 40 }, (_, n) =>
    ["", "&sid=7"].map((sid) => `http://a.org/t?id=${n}${sid}${isKnown ? `\tcls:${n}` : ""}\n`),
  )
    .flat()
    .join("");

/** Returns the last line that `learn` says of a list. */
async function lastLine(input: string, ...flags: string[]): Promise<string | undefined> {
  const { code, stderr } = await runCli(["learn", ...flags], input);
  expect(code).toBe(0);
  return stderr.trimEnd().split("\n").at(-1);
}

const folder = tempFolder();

describe("learn ends with the next step", () => {
  test("with a file whose name a shell takes for two", async () => {
    const file = join(folder, "my rules.tsv");
    expect(await lastLine(pairs(true), "-o", file)).toContain(`--rules '${file}' LIST applies it`);
  });

  test("for rules, for proposals", async () => {
    expect(await lastLine(pairs(true))).toBe(
      "urlmill: next: urlmill normalize --emit url LIST | urlmill dedupe --preset crawl --rules FILE --shadow MERGED lists what 1 rule would merge, and urlmill dedupe --preset crawl --rules FILE LIST applies it",
    );
    expect(await lastLine(pairs(false))).toBe(
      "urlmill: next: 1 proposal not applied: urlmill learn plan --rules FILE LIST to test, or --accept pattern to apply",
    );
  });

  test.each([
    ["tsv", (rows: string) => rows],
    ["csv", (rows: string) => rows.replaceAll("\t", ",")],
    [
      "jsonl",
      (rows: string) =>
        rows
          .replace("url\tfp\n", "")
          .replaceAll(/^(.*)\t(.*)$/gm, (_, url, fp) => JSON.stringify({ url, fp })),
    ],
  ])(
    "for aliases alone, by kind, with a command that runs as it stands: %s",
    async (_, written) => {
      const [rules = "", aliases = "", merged = ""] = ["rules", "aliases", "merged"].map((name) =>
        join(folder, name),
      );
      const input = written(list(60, (n) => n % 4));
      const next = await lastLine(input, "-o", rules, "--page-aliases", aliases);
      const command = `dedupe --preset crawl --page-aliases ${aliases}`;
      expect(next).toBe(
        `urlmill: next: urlmill normalize --emit url LIST | urlmill ${command} --shadow MERGED lists what 56 aliases would merge, and urlmill ${command} LIST applies it`,
      );
      const urls = await runCli(["normalize", "--emit", "url"], input);
      const trial = await runCli([...command.split(" "), "--shadow", merged], urls.stdout);
      expect(trial.stderr).toContain("would have merged 56 of 60 lines");
      const applied = await runCli([...command.split(" "), "--stats"], input);
      expect(applied.stderr).toContain('"duplicates":56');
    },
  );

  test("for statements that are trusted", async () => {
    const records = Array.from({ length: 12 }, (_, t) => [
      {
        url: `http://a.org/t/${t}`,
        fp: `cls:${t}`,
        self: [`/p.php?p=${(t * 7919 + 13) % 9973}#p${t}`],
      },
      { url: `http://a.org/p.php?p=${(t * 7919 + 13) % 9973}`, fp: `cls:${t}` },
    ]).flat();
    const input = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    expect(await lastLine(input, "-o", join(folder, "trust"))).toBe(
      `urlmill: next: sameAs believes 1 trusted statement of ${join(folder, "trust")} as a crawl goes on`,
    );
  });

  test.each([
    ["an empty list", "", "the list has no URLs"],
    ["one URL", "http://a.org/\n", "the list has one URL"],
    ["different pages", list(30, (n) => n), "all 30 pages are different"],
    [
      "chance",
      list(60, (n) => n % 4),
      "none for 56 redundant URLs is certain enough: see --report, or --page-aliases for single URLs",
    ],
    ["no pattern", "http://a.org/x\nhttp://a.org/yy\n", "no fingerprints, and the URLs alone show"],
  ])("or says why there are no rules: %s", async (_, input, why) => {
    expect(await lastLine(input)).toContain(`urlmill: no rules: ${why}`);
  });
});

test("fingerprints that are all equal are refused, and nothing is written", async () => {
  const { code, stdout, stderr } = await runCli(
    ["learn"],
    list(100, () => 1),
  );
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toBe(
    "urlmill: all 100 URLs with a fingerprint have the same one, so it does not tell pages apart; name another column with --fp\n",
  );
});
