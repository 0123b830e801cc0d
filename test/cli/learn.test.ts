import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { LEARN_COMMANDS } from "../../src/cli/learn/commands.ts";
import { LEARN } from "../../src/cli/learn/learn.ts";
import { runCli } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const FORUM = fileURLToPath(new URL("../fixtures/learn/forum.tsv.gz", import.meta.url));
const folder = tempFolder();
const file = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(file(name), "utf8");

/** A site whose `sid` means nothing, as TSV. */
const TSV = [
  "url\tfp",
  ...Array.from({ length: 30 }, (_, n) => [
    `http://a.org/t?id=${n}\tcls:${n}`,
    `http://a.org/t?id=${n}&sid=${n}\tcls:${n}`,
  ]).flat(),
].join("\n");
const RULES = "#urlmill-rules 1\na.org\t/t\tdrop sid\tfingerprint n=30 ok=30 lb=.8864\n";
const SUMMARY =
  /60 URLs of 1 site, 1 rule, 30 of 30 redundant URLs removed \(100\.0 %\), 0\.0 of 30 pages lost/;

test("a list on standard input gives rules on standard output, and says what they do", async () => {
  const { code, stdout, stderr } = await runCli(["learn"], TSV);
  expect([code, stdout]).toEqual([0, RULES]);
  expect(stderr).toMatch(SUMMARY);
});

test("the rules of a forum dedupe its URLs", async () => {
  const learned = await runCli([
    "learn",
    FORUM,
    "-o",
    file("forum.rules"),
    "--max-page-loss",
    "0.001",
  ]);
  expect(learned.code).toBe(0);
  const urls = [
    "http://www.computer-forum.net/viewtopic.php?t=9",
    "http://www.computer-forum.net/viewtopic.php?t=9&start=0&postdays=0&postorder=asc&highlight=",
    "http://www.computer-forum.net/viewtopic.php?t=9&start=15",
    "http://other.org/viewtopic.php?t=9&start=0&postdays=0&postorder=asc&highlight=",
  ];
  const { stdout } = await runCli(
    ["dedupe", "--rules", file("forum.rules")],
    `${urls.join("\n")}\n`,
  );
  expect(stdout.trimEnd().split("\n")).toEqual([urls[0], urls[2], urls[3]]);
});

test("mine, count and select give the same file as learn", async () => {
  const lines = TSV.split("\n");
  const [header, ...rows] = lines as [string, ...string[]];
  writeFileSync(file("all.tsv"), TSV);
  writeFileSync(file("a.tsv"), [header, ...rows.filter((_, index) => index % 3 === 0)].join("\n"));
  writeFileSync(file("b.tsv"), [header, ...rows.filter((_, index) => index % 3 !== 0)].join("\n"));
  await runCli(["learn", "mine", file("all.tsv"), "-o", file("candidates")]);
  for (const part of ["a", "b"]) {
    const args = ["learn", "count", "--rules", file("candidates"), file(`${part}.tsv`)];
    expect((await runCli([...args, "-o", file(`${part}.evidence.gz`)])).code).toBe(0);
  }
  const parts = [file("b.evidence.gz"), file("a.evidence.gz")];
  const { stdout, stderr } = await runCli(["learn", "select", ...parts]);
  expect(stdout).toBe(RULES);
  expect(stderr).toMatch(SUMMARY);
});

test("rules as JSON are the same rules", async () => {
  const { stdout } = await runCli(["learn", "--json"], TSV);
  expect(JSON.parse(stdout.split("\n")[1] as string)).toEqual({
    site: "a.org",
    condition: "/t",
    action: "drop sid",
    evidence: { level: "fingerprint", n: 30, ok: 30, lb: 0.8864 },
  });
  writeFileSync(file("json.rules"), stdout);
  const urls = "http://a.org/t?id=1&sid=2\nhttp://a.org/t?id=1\n";
  const deduped = await runCli(["dedupe", "--rules", file("json.rules")], urls);
  expect(deduped.stdout).toBe("http://a.org/t?id=1&sid=2\n");
});

test("a report is a page", async () => {
  await runCli(["learn", "-o", file("out"), "--report", file("page.html")], TSV);
  expect(text("page.html")).toContain("drop sid");
});

describe("with rules that were learned", () => {
  beforeAll(() => writeFileSync(file("rules"), RULES));

  test("explain names the rule", async () => {
    const { stdout } = await runCli([
      "explain",
      "--rules",
      file("rules"),
      "http://a.org/t?id=1&sid=2",
    ]);
    expect(stdout).toContain("a.org\t/t\tdrop sid");
    expect(stdout).toContain("http://a.org/t?id=1\n");
  });

  test("proposals are applied only where they are accepted", async () => {
    writeFileSync(file("proposals"), RULES.replace("fingerprint", "pattern"));
    const urls = "http://a.org/t?id=1\nhttp://a.org/t?id=1&sid=2\n";
    const kept = await runCli(["dedupe", "--rules", file("proposals")], urls);
    expect(kept.stdout).toBe(urls);
    const accepted = await runCli(
      ["dedupe", "--rules", file("proposals"), "--accept", "pattern"],
      urls,
    );
    expect(accepted.stdout).toBe("http://a.org/t?id=1\n");
  });

  test("pairs are planned, and fetched they are evidence", async () => {
    writeFileSync(
      file("list.tsv"),
      `${TSV}\n${TSV.split("\n").slice(1).join("\n").replaceAll("/t?", "/u?")}`,
    );
    writeFileSync(file("any.tsv"), "#urlmill-rules 1\na.org\t*\tdrop sid\n");
    const plan = await runCli(["learn", "plan", "--rules", file("any.tsv"), file("list.tsv")]);
    expect(plan.code).toBe(0);
    const filled = plan.stdout.replaceAll(/^\d+\t\d+\t.*$/gm, (line) => `${line}\tsame`);
    expect(filled.match(/\tsame$/gm)?.length).toBe(50);
    const verdict = await runCli(["learn", "verdict"], filled);
    expect(verdict.stdout).toMatch(/a\.org\t\*\tdrop sid\tfetched n=50 ok=50/);
    const different = await runCli(
      ["learn", "verdict"],
      filled.replaceAll("\tsame", "\tdifferent"),
    );
    expect(different.stdout).toBe("#urlmill-rules 1\n");
    expect(different.stderr).toContain("rejected");
  });

  test("Clean-param comes and goes", async () => {
    const robots = "User-agent: *\nClean-param: sid&ref /t\n";
    const imported = await runCli(
      ["learn", "import", "--from", "clean-param", "--site", "a.org"],
      robots,
    );
    expect(imported.stdout).toMatch(/a\.org\t\/t\.\.\.\tdrop & sid,ref\tdeclared/);
    writeFileSync(file("clean"), imported.stdout);
    const back = await runCli(["learn", "export", "--to", "clean-param", "--rules", file("clean")]);
    expect(back.stdout).toContain("Clean-param: sid&ref /t");
  });

  test("rules go as No-Vary-Search, with a warning and the rules that it cannot say", async () => {
    const said = ["a.org\t/t\tkeep id", "a.org\t/t\tsort\tdeclared n=3 ok=3 lb=.4385"];
    writeFileSync(
      file("said"),
      ["#urlmill-rules 1", ...said, "a.org\t*\tlower path", ""].join("\n"),
    );
    const { code, stdout, stderr } = await runCli([
      "learn",
      "export",
      "--to",
      "no-vary-search",
      "--rules",
      file("said"),
    ]);
    expect(code).toBe(0);
    expect(stdout).toBe(`# ${said[0]}\n# ${said[1]}\nNo-Vary-Search: key-order, except=("id")\n`);
    expect(stderr).toContain("a wrong No-Vary-Search makes caches serve wrong pages");
    expect(stderr).toContain("ends parameters at & alone");
    expect(stderr).toContain("a.org\t*\tlower path: No-Vary-Search drops");
  });
});

describe("refuses", () => {
  test.each([
    ["another version", "#urlmill-rules 2\n", /line 1 of the rules: .*version/],
    [
      "a rule that does not decrease",
      "#urlmill-rules 1\na.org\t*\tsub /a => /bb\n",
      /line 2 of the rules: .*shorter/,
    ],
    ["a line that is not a rule", "#urlmill-rules 1\n\na.org drop x\n", /line 3 of the rules/],
  ])("rules with %s", async (_, rules, message) => {
    writeFileSync(file("bad"), rules);
    const { code, stderr } = await runCli(["dedupe", "--rules", file("bad")], "http://a/\n");
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test.each([
    [["learn", "--max-page-loss", "2"], /share from 0 to 1/],
    [["learn", "--format", "xml"], /--format is one of/],
    [["learn", "--by", "names"], /--by is one of pages, sizes, urls/],
    [["learn", "count"], /--rules is missing/],
    [["learn", "--what"], /--what/],
    [["learn", "export", "--to", "x", "--rules", "y"], /--to is one of/],
  ])("a call with %j", async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("evidence that has no header, and names the line of damaged evidence", async () => {
    const none = await runCli(["learn", "select"], "url\ta.org\n");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("#urlmill-evidence 3")]);
    expect((await runCli(["learn", "select"])).code).toBe(2);
    const bad = await runCli(["learn", "select"], "#urlmill-evidence 3\nurl\ta.org\n");
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/line 2/)]);
  });
});

test("pages can be told by sizes, or not at all", async () => {
  const lines = gunzipSync(readFileSync(FORUM)).toString().split("\n");
  const list = lines.slice(0, atLength(1000, lines.length)).join("\n");
  const levels = async (by: string) => {
    const { stdout } = await runCli(["learn", "--by", by], list);
    return new Set(stdout.match(/\t(?:size|pattern)(?= n=)/g));
  };
  expect(await levels("sizes")).toEqual(new Set(["\tsize"]));
  expect(await levels("urls")).toEqual(new Set(["\tpattern"]));
});

test("malformed lines are counted, said, and passed over", async () => {
  const { code, stdout, stderr } = await runCli(["learn"], `${TSV}\ntoo\tmany\tcolumns\n`);
  expect([code, stdout]).toEqual([0, RULES]);
  expect(stderr).toMatch(/standard input: 1 line could not be read; line 62: /);
});

describe("a list that nothing can be learned from ends with 1", () => {
  test("where no line of a file could be read", async () => {
    const { code, stdout, stderr } = await runCli(
      ["learn", "--format", "tsv"],
      "url\tsize\na\nb\n",
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(
      "cannot read standard input as tsv: not one of its 2 lines could be read",
    );
  });

  test("where no record has an http or https URL", async () => {
    const { code, stderr } = await runCli(
      ["learn", "--format", "lines"],
      "hello world\nmailto:x\n",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("not one of 2 records has an http or https URL");
  });

  test("where simhashes are bad, with the first line", async () => {
    const { code, stderr } = await runCli(["learn"], "url\tsim\nhttp://a/\tx\n");
    expect(code).toBe(1);
    expect(stderr).toContain('1 line could not be read; line 2: sim is "x"');
  });
});

test("an empty list gives an empty file of rules", async () => {
  const { code, stdout } = await runCli(["learn"]);
  expect([code, stdout]).toEqual([0, "#urlmill-rules 1\n"]);
});

test.each(["", "count", "verdict"])("learn %s --help prints its help", async (part) => {
  const { code, stdout } = await runCli(["learn", ...(part === "" ? [] : [part]), "--help"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`urlmill learn ${part}`.trim())]);
});

test("every part has a help of its own, no wider than a terminal", () => {
  for (const part of Object.keys(LEARN_COMMANDS)) {
    const help = LEARN.help(part);
    expect(help).toMatch(
      part === "learn" ? /^urlmill learn / : new RegExp(`^urlmill learn ${part} `),
    );
    for (const line of help.split("\n")) expect(line.length).toBeLessThan(80);
  }
});

test.runIf(process.platform === "linux").each([
  ["rules", ["-o", "/dev/full"]],
  ["aliases", ["-o", "/dev/null", "--page-aliases", "/dev/full"]],
  ["a report", ["-o", "/dev/null", "--report", "/dev/full"]],
])("a disk that is full before %s are written is an error in one line", async (_, flags) => {
  expect(await runCli(["learn", ...flags], TSV)).toMatchObject({
    code: 1,
    stderr: "urlmill: cannot write /dev/full: the disk is full\n",
  });
});
