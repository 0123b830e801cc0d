import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { newFolders } from "../shared/temp-folder.ts";

const inFolder = newFolders();

/** Returns rows of pages, each with a URL without and one with a session id. */
const pairs = (pages: number, site = "a.org", path = "/t") =>
  Array.from({ length: pages }, (_, id) =>
    ["", `&sid=${7 * id + 1}`].map(
      (sid) => `http://${site}${path}?id=${id}${sid}\tcls:${path}${id}`,
    ),
  ).flat();
/** Returns rows of pages that have one URL. */
const singles = (pages: number) =>
  Array.from({ length: pages }, (_, n) => `http://a.org/page/${n}.html\tcls:page ${n}`);
/** Returns a rule that drops session ids, but for those of so many pages. */
const dropUnless = (pages: number, site = "a.org") =>
  [
    `${site}\t/t\tdrop sid`,
    ...Array.from({ length: pages }, (_, id) => `\tunless\t${site}\t/t ?id=${id}`),
  ].join("\n");
/** A rule of a.org that changes none of these URLs. */
const IDLE = "a.org\t/x\tdrop x";

/** Learns from rows, against rules. Returns what it says too. */
async function learn(rows: readonly string[], old: string, ...flags: string[]) {
  writeFileSync(inFolder("old.tsv"), `#urlmill-rules 1\n${old}\n`);
  const args = ["learn", "-o", inFolder("new.tsv"), "--against", inFolder("old.tsv"), ...flags];
  const result = await runCli(args, ["url\tfp", ...rows, ""].join("\n"));
  return { ...result, isWritten: existsSync(inFolder("new.tsv")) };
}

/** Returns what `learn` says of changes. */
const summaryOf = (stderr: string) => /old\.tsv: (.*)\n/.exec(stderr)?.[1];

describe("learn --against", () => {
  test("writes rules that merge what the older ones merge", async () => {
    const { code, stderr, isWritten } = await learn(pairs(30), "a.org\t*\tdrop sid");
    expect([code, isWritten]).toEqual([0, true]);
    expect(summaryOf(stderr)).toBe(
      "0 URLs newly merged, 0 no longer merged, 0 new sites, 0 sites without rules now",
    );
    expect(stderr).toContain("urlmill: next: ");
  });

  test("refuses rules that newly merge more than 1 % of a site's URLs, and writes nothing", async () => {
    const rows = [...pairs(30), ...singles(300)];
    writeFileSync(inFolder("new.tsv"), "before");
    const flags = ["--page-aliases", inFolder("aliases.tsv")];
    const { code, stdout, stderr } = await learn(rows, IDLE, ...flags);
    expect([code, stdout]).toEqual([3, ""]);
    expect(readFileSync(inFolder("new.tsv"), "utf8")).toBe("before");
    expect(existsSync(inFolder("aliases.tsv"))).toBe(false);
    expect(stderr.split("\n").slice(1)).toEqual([
      "urlmill: a.org: 30 of 360 URLs newly merged (8.3 %)",
      ...[0, 1, 10, 11, 12].map((id) => {
        const key = `http://a.org/t?id=${id}`;
        return `urlmill:   ${key}: ${key} and ${key}&sid=${7 * id + 1}`;
      }),
      "urlmill:   and 25 more keys",
      "urlmill: no rules are written: they newly merge too many URLs of 1 site (--max-change 1 %, or two of fewer than 200); --report FILE lists all keys; to accept them, learn without --against",
      "",
    ]);
  });

  test.each([
    ["8.4%", 0],
    ["8.4 %", 0],
    ["0.084", 0],
    ["1", 0],
    ["8.3%", 3],
    ["0.083", 3],
    ["0", 3],
  ])("takes --max-change %s as a share", async (share, expected) => {
    const rows = [...pairs(30), ...singles(300)];
    const { code, isWritten } = await learn(rows, IDLE, "--max-change", share);
    expect([code, isWritten]).toEqual([expected, expected === 0]);
  });

  test("accepts a share that is exactly --max-change", async () => {
    // 0.7 / 100 is less than 0.007.
    const rows = [...pairs(30), ...singles(940)];
    const { code, stderr } = await learn(rows, dropUnless(7), "--max-change", "0.7%");
    expect(summaryOf(stderr)).toContain("7 URLs newly merged");
    expect(code).toBe(0);
    expect((await learn(rows, dropUnless(8), "--max-change", "0.7%")).code).toBe(3);
  });

  test.each([
    [2, "1%", 0],
    [2, "0", 0],
    [3, "1%", 3],
    [3, "100%", 3],
  ])("lets two URLs of fewer than 200 newly merge: %d with %s", async (count, share, expected) => {
    const { code, stderr } = await learn(pairs(60), dropUnless(count), "--max-change", share);
    expect(summaryOf(stderr)).toContain(`${count} URLs newly merged`);
    expect(code).toBe(expected);
  });

  test("judges each site by itself, and lists those that are refused", async () => {
    const rows = [...pairs(30), ...pairs(30, "b.org"), ...pairs(30, "c.org")];
    const old = [dropUnless(4), dropUnless(0, "b.org"), dropUnless(5, "c.org")].join("\n");
    const { code, stderr } = await learn(rows, old);
    expect(code).toBe(3);
    expect(summaryOf(stderr)).toContain("9 URLs newly merged");
    expect(stderr.match(/\S+: \d of 60 URLs newly merged/g)).toEqual([
      "a.org: 4 of 60 URLs newly merged",
      "c.org: 5 of 60 URLs newly merged",
    ]);
    expect(stderr).toContain("too many URLs of 2 sites (");
  });

  test("says which rules went and which sites are new, and refuses neither", async () => {
    const old = ["a.org\t*\tdrop sid", "a.org\t/page/*\tsink /page", "gone.org\t*\tsort"].join(
      "\n",
    );
    const { code, stderr, isWritten } = await learn(
      [...pairs(30), ...singles(5), ...pairs(30, "b.org")],
      old,
    );
    expect([code, isWritten]).toEqual([0, true]);
    expect(summaryOf(stderr)).toBe(
      "0 URLs newly merged, 4 no longer merged, 1 new site, 1 site without rules now",
    );
  });

  test("takes a site as known by a rule for its domain, and not by one for every site", async () => {
    const rows = pairs(30, "www.a.org");
    const ofDomain = await learn(rows, "*.a.org\t/x\tdrop x");
    expect(ofDomain.code).toBe(3);
    expect(summaryOf(ofDomain.stderr)).toContain("0 new sites, 0 sites without rules now");
    const ofAll = await learn(rows, "*\t/x\tdrop x");
    expect(ofAll.code).toBe(0);
    expect(summaryOf(ofAll.stderr)).toContain("1 new site, 0 sites without rules now");
    const gone = await learn(singles(9), "*.a.org\t/x\tdrop x\na.org\t/y\tdrop y");
    expect(summaryOf(gone.stderr)).toContain("0 new sites, 1 site without rules now");
    const both = await learn(rows, "*\t*\tdrop sid\nwww.a.org\t/x\tdrop x");
    expect(both.code).toBe(0);
  });

  test("leaves out proposals among the older rules, as --rules does", async () => {
    const { code, stderr } = await learn(pairs(30), "a.org\t/x\tdrop x\tpattern n=9 ok=0 lb=.0000");
    expect(code).toBe(0);
    expect(summaryOf(stderr)).toContain("1 new site, 0 sites without rules now");
  });

  test("refuses that all URLs of a known site newly become those of another", async () => {
    const rows = Array.from({ length: 9 }, (_, n) => {
      const url = `http://www.a.org/${n}`;
      return JSON.stringify({ url, status: 301, redirect: `http://a.org/${n}` });
    });
    const args = ["learn", "--against", inFolder("old.tsv")];
    writeFileSync(inFolder("old.tsv"), "#urlmill-rules 1\nwww.a.org\t/x\tsort\n");
    const { code, stderr } = await runCli(args, rows.join("\n"));
    expect(code).toBe(3);
    expect(stderr).toContain(
      "urlmill: www.a.org: 9 of 9 URLs newly merged (100 %)\nurlmill:   http://a.org/: http://a.org/ and http://www.a.org/\n",
    );
    writeFileSync(inFolder("old.tsv"), "#urlmill-rules 1\nwww.a.org\t*\thost www.a.org => a.org\n");
    const again = await runCli(args, rows.join("\n"));
    expect(again.code).toBe(0);
  });

  test("writes the report of what it refused, with all keys", async () => {
    const report = inFolder("report.html");
    const { code, stderr } = await learn(pairs(30), IDLE, "--report", report);
    expect(code).toBe(3);
    expect(stderr).toContain(`; ${report} lists all keys; `);
    const page = readFileSync(report, "utf8").replaceAll(/<[^>]*>/g, "");
    expect(page).toContain("Older rules keep 30 URLs apart that have the key of another one now.");
    for (let id = 0; id < 30; id++) expect(page).toContain(`http://a.org/t?id=${id}&amp;sid=`);
  });

  test("refuses the same on threads", async () => {
    const rows = [...pairs(30), ...pairs(30, "b.org")];
    const old = `${IDLE}\n${dropUnless(0, "b.org")}`;
    const one = await learn(rows, old);
    const two = await learn(rows, old, "--threads", "2");
    expect(two).toEqual(one);
    expect(two.code).toBe(3);
  });
});

test.each([
  [["--max-change", "1%"], "--max-change compares with older rules: add --against OLD"],
  [
    ["--max-change", "2", "--against", "x"],
    '--max-change is a share from 0 to 1, or per cent, not "2"',
  ],
  [["--max-page-loss", "101%"], '--max-page-loss is a share from 0 to 1, or per cent, not "101%"'],
  [["--max-change", "%"], '--max-change is a share from 0 to 1, or per cent, not "%"'],
])("a wrong call is refused: %j", async (flags, reason) => {
  const { code, stdout, stderr } = await runCli(["learn", ...flags], "http://a/\n");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`urlmill: ${reason}\n`);
});

test("the older rules are not written by the same run, and must be a file of rules", async () => {
  const file = inFolder("rules.tsv");
  writeFileSync(file, "http://a/\n");
  const same = await runCli(["learn", "-o", file, "--against", file], "http://a/\n");
  expect([same.code, readFileSync(file, "utf8")]).toEqual([2, "http://a/\n"]);
  expect(same.stderr).toContain("cannot be read and written by the same run");
  const { code, stderr } = await runCli(["learn", "--against", file], "http://a/\n");
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}: line 1 of the rules: a file of rules begins with`);
  const missing = await runCli(["learn", "--against", inFolder("none")], "http://a/\n");
  expect(missing.code).toBe(1);
});
