import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RULES_HEADER } from "../../src/site-rules/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

function write(name: string, text: string): string {
  writeFileSync(path(name), text);
  return path(name);
}

const RULES = write(
  "rules.tsv",
  [
    RULES_HEADER,
    "a.org\t*\tdrop s",
    "a.org\t/print/...\tnoindex\tdeclared n=12 ok=12 lb=.7575",
    "b.org:8080\t* ?mail\tnoindex",
    "a.org\t*\ttrust canonical",
    "",
  ].join("\n"),
);
/** Lines, and whether RULES skips them. */
const LINES: readonly (readonly [line: string, isSkipped: boolean])[] = [
  ["http://a.org/1", false],
  ["HTTPS://u@A.org:443/print/1?s=2#x", true],
  ["http://a.org/a/../print/", true],
  ["http://a.org/print", false],
  ["http://www.a.org/print/1", false],
  ["http://a.org:81/print/1", false],
  ["http://b.org:8080/?x&mail=1", true],
  ["http://b.org/?mail", false],
  ["http://c.org/print/1", false],
  ["not a url /print/1", false],
];
const TEXT = LINES.map(([line]) => `${line}\n`).join("");
const left = LINES.flatMap(([line, isSkipped]) => (isSkipped ? [] : [line]));
const FLAGS = ["--rules", RULES, "--skip-noindex"];

describe.each(ENGINES)("--skip-noindex (--engine %s)", (engine) => {
  const run = (...args: string[]) => runCli([...args, "--engine", engine, ...FLAGS], TEXT);

  test("leaves URLs out of dedupe, counts and lists them as BLOCKED", async () => {
    const errors = path(`errors-${engine}.tsv`);
    const { stdout, stderr } = await run("dedupe", "--stats", "--errors", errors);
    expect(stdout.trimEnd().split("\n")).toEqual(left);
    expect(JSON.parse(stderr)).toMatchObject({ blocked: 3 });
    expect(readFileSync(errors, "utf8")).toContain(`2\tBLOCKED\t${LINES[1]?.[0]}\n`);
  });

  test("keeps them as they were in normalize, with the other rows", async () => {
    const { stdout } = await run("normalize");
    const written = stdout.split("\n");
    expect(written[1]).toBe("HTTPS://u@A.org:443/print/1?s=2#x");
    expect(written[8]).toBe("http://c.org/print/1");
  });

  test("works beside --block and --allow", async () => {
    const block = write("block.txt", "=c.org\n");
    const allow = write("allow.txt", "a.org\nc.org\n");
    const { stdout } = await run("dedupe", "--block", block, "--allow", allow);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "http://a.org/1",
      "http://a.org/print",
      "http://www.a.org/print/1",
      "http://a.org:81/print/1",
      "not a url /print/1",
    ]);
  });
});

describe("every way of a run leaves out the same", () => {
  const input = write("input.txt", TEXT);
  const csv = write("input.csv", `n,url\n${LINES.map(([line], n) => `${n},${line}\n`).join("")}`);

  test.each([
    ["from file to file on threads", [input, "-j", "2"]],
    ["read twice", [input, "--keep", "last"]],
    ["counted", [input, "--memory", "1M"]],
    ["with a set", [input, "--seen", path("set")]],
  ])("%s", async (_, args) => {
    const out = path("out.txt");
    const { code, stderr } = await runCli(["dedupe", ...args, "-o", out, ...FLAGS]);
    expect(code, stderr).toBe(0);
    expect(readFileSync(out, "utf8").trimEnd().split("\n").toSorted()).toEqual(left.toSorted());
  });

  test("in tables", async () => {
    const { stdout } = await runCli(["dedupe", csv, ...FLAGS]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(left.length + 1);
  });

  test("in Parquet", async () => {
    const url = LINES.map(([line]) => line);
    writeColumns(path("in.parquet"), [{ name: "url", data: url, type: "STRING" }]);
    const out = path("out.parquet");
    const { code, stderr } = await runCli(["dedupe", path("in.parquet"), "-o", out, ...FLAGS]);
    expect(code, stderr).toBe(0);
    expect((await readParquet(out)).rows.map((row) => row["url"])).toEqual(left);
  });
});

test("without the flag the lines do nothing", async () => {
  const { stdout } = await runCli(["dedupe", "--rules", RULES], TEXT);
  expect(stdout).toBe(TEXT);
});

describe("--skip-noindex refuses, or says,", () => {
  const failure = async (...args: string[]) => {
    const { code, stderr } = await runCli(["dedupe", ...args], TEXT);
    return `${code} ${stderr}`;
  };

  test("that there are no rules", async () => {
    expect(await failure("--skip-noindex")).toMatch(/^2 .*takes lines of rules: add --rules FILE/);
  });

  test("that --days is for --skip-exhausted", async () => {
    expect(await failure("--days", "3")).toBe("2 urlmill: --days is for --skip-exhausted\n");
    expect(await failure(...FLAGS, "--days", "3")).toMatch(/^2 /);
  });

  test("that it does not go with a form that is not a URL", async () => {
    expect(await failure(...FLAGS, "--form", "surt")).toMatch(/^0/);
    expect(await failure(...FLAGS, "--form", "host")).toMatch(/^2 .*compare URLs/);
  });

  test("that the rules have no such line", async () => {
    const none = write("none.tsv", `${RULES_HEADER}\na.org\t*\tdrop s\n`);
    expect(await failure("--rules", none, "--skip-noindex")).toMatch(
      /^0 .*--skip-noindex leaves out nothing: the rules have no such line/,
    );
  });
});

describe("other commands that read a file of rules", () => {
  const SAID = "2 lines with trust, noindex or exhausted left out";

  test.each([
    ["learn plan", ["learn", "plan", "--rules", RULES]],
    ["learn count", ["learn", "count", "--rules", RULES]],
    ["learn export", ["learn", "export", "--to", "clean-param", "--rules", RULES]],
    ["lists export", ["lists", "export", "--to", "pywb", RULES]],
  ])("%s says that it leaves lines for a crawl out", async (_, args) => {
    const { code, stdout, stderr } = await runCli(args, "http://a.org/?s=1\n");
    expect(code).toBe(0);
    expect(stderr).toContain(SAID.replace("2", "3"));
    expect(stdout).not.toContain("noindex");
  });

  test("lists audit keeps them, and lists diff compares them", async () => {
    const kept = path("kept.tsv");
    const pages = Array.from(
      { length: 60 },
      (_, n) => `http://a.org/t?t=${n >> 1}&s=${n}\t${n >> 1}`,
    );
    const list = write("pages.tsv", `url\tcls\n${pages.join("\n")}\n`);
    expect((await runCli(["lists", "audit", RULES, list, "-o", kept])).code).toBe(0);
    const lines = readFileSync(RULES, "utf8").split("\n").slice(2);
    expect(readFileSync(kept, "utf8").split("\n").slice(-lines.length)).toEqual(lines);
    const other = write("other.tsv", readFileSync(RULES, "utf8").replace("/print/", "/mail/"));
    expect((await runCli(["lists", "diff", RULES, other])).stdout).toBe(
      "-\ta.org\t/print/...\tnoindex\n+\ta.org\t/mail/...\tnoindex\n",
    );
  });

  test("explain, and learn --against, take the rules alone", async () => {
    const explained = await runCli(["explain", "--rules", RULES, "http://a.org/print/1?s=1"]);
    expect(explained.stdout).toContain("http://a.org/print/1");
    const list = write("robots.tsv", "url\tcls\trobots\nhttp://a.org/\t1\tnoindex\n");
    const learned = await runCli(["learn", list, "--against", RULES]);
    expect(learned.code, learned.stderr).toBe(0);
  });
});

test("learn --exhausted writes lines that --skip-exhausted takes for --days, but for one URL in twenty", async () => {
  const visit = (n: number) => `http://a.org/visit/x${n}`;
  const rows = Array.from({ length: 900 }, (_, n) => [
    `${visit(n)}\tv${n % 20}`,
    `http://a.org/${n}/\tp${n}`,
  ]).flat();
  const list = write("visits.tsv", `url\tcls\n${rows.join("\n")}\n`);
  const rules = path("exhausted.tsv");
  expect((await runCli(["learn", list])).stdout).toBe(`${RULES_HEADER}\n`);
  const { stderr } = await runCli(["learn", list, "--exhausted", "-o", rules]);
  expect(stderr).toContain(`--rules ${rules} --skip-exhausted LIST leaves out 1 shape of URLs`);
  const text = readFileSync(rules, "utf8");
  const today = new Date().toISOString().slice(0, 10);
  expect(text).toMatch(/\t\/visit\/.*\texhausted \d{4}-\d\d-\d\d\tfingerprint n=900 ok=880/);
  expect(text).toContain(`exhausted ${today}`);
  const urls = Array.from({ length: 1000 }, (_, n) => `${visit(n + 5000)}\n`).join("");
  const left = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(["dedupe", "--rules", rules, ...args], urls);
    return { lines: stdout.split("\n").length - 1, stderr };
  };
  expect((await left()).lines).toBe(1000);
  expect((await left("--skip-noindex")).lines).toBe(1000);
  const { lines } = await left("--skip-exhausted");
  expect(lines).toBeGreaterThan(25);
  expect(lines).toBeLessThan(80);
  const old = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10);
  writeFileSync(rules, text.replace(today, old));
  const aged = await left("--skip-exhausted");
  expect(aged.lines).toBe(1000);
  expect(aged.stderr).toContain("the rules have no such line of the last 7 days");
  expect((await left("--skip-exhausted", "--days", "10")).lines).toBe(lines);
  expect((await left("--skip-exhausted", "--days", "99999999")).stderr).toContain("option days is");
});

test("learn writes lines that dedupe --skip-noindex takes, and says so", async () => {
  const rows = Array.from({ length: 40 }, (_, n) => [
    `http://a.org/${n}\tp${n}\tindex`,
    `http://a.org/print/${n}\tq${n}\tnoindex`,
  ]).flat();
  const list = write("learn.tsv", `url\tcls\trobots\n${rows.join("\n")}\n`);
  const rules = path("learned.tsv");
  const { stderr } = await runCli(["learn", list, "-o", rules]);
  expect(stderr).toContain("1 shape of URLs to skip");
  expect(stderr).toContain(`--rules ${rules} --skip-noindex LIST leaves out 1 shape of URLs`);
  const { stdout } = await runCli(
    ["dedupe", "--preset", "crawl", "--rules", rules, "--skip-noindex"],
    "http://a.org/7\nhttp://a.org/print/99\n",
  );
  expect(stdout).toBe("http://a.org/7\n");
});
