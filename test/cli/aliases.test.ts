import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const ALIASES = [
  "#urlmill-aliases 1",
  "a.b\t/?p=12\t/2020/news/\tfingerprint",
  "a.b\t/?p=13\t/2020/more/\tsize",
  "",
].join("\n");

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const file = write("aliases.tsv", ALIASES);
const urls = "http://A.b/?p=12\nhttp://a.b/?p=13#x\nhttp://a.b/2020/news/\nhttp://c.d/?p=12\n";

test.each(ENGINES)("--page-aliases applies a file of aliases, --engine %s", async (engine) => {
  const flags = ["--page-aliases", file, "--engine", engine];
  const { stdout } = await runCli(["normalize", ...flags], urls);
  expect(stdout).toBe(
    "http://a.b/2020/news/\nhttp://a.b/?p=13#x\nhttp://a.b/2020/news/\nhttp://c.d/?p=12\n",
  );
  const accepted = await runCli(["normalize", "--accept", "size", ...flags], urls);
  expect(accepted.stdout.split("\n")[1]).toBe("http://a.b/2020/more/#x");
  const { stdout: unique } = await runCli(["dedupe", ...flags], urls);
  expect(unique).toBe("http://A.b/?p=12\nhttp://a.b/?p=13#x\nhttp://c.d/?p=12\n");
});

test("--stats counts aliases among the reasons", async () => {
  const { stderr } = await runCli(["normalize", "--page-aliases", file, "--stats"], urls);
  expect(JSON.parse(stderr)).toMatchObject({ changesByStep: { pageAliases: 1, hostCase: 1 } });
});

test("explain shows the line of the alias", async () => {
  const args = ["explain", "--page-aliases", file, "http://a.b/?p=12"];
  expect((await runCli(args)).stdout).toBe(`http://a.b/?p=12
  pageAliases  http://a.b/2020/news/
               writes the URL that an alias of the site names: a.b\t/?p=12\t/2020/news/
http://a.b/2020/news/

`);
});

test("a configuration file and a plan hold aliases, too", async () => {
  const config = write("config.json", JSON.stringify({ pageAliases: ALIASES, accept: "size" }));
  const { stdout } = await runCli(["normalize", "--config", config], urls);
  expect(stdout.split("\n")[1]).toBe("http://a.b/2020/more/#x");
  const plan = await runCli(["plan", "--page-aliases", file]);
  const { plan: expected } = createNormalizer({ pageAliases: ALIASES });
  expect([...Buffer.from(plan.stdout, "latin1")]).toEqual([...expected]);
});

test("dedupe --shadow lists what aliases would merge, and merges nothing by them", async () => {
  const shadow = join(folder, "shadow.tsv");
  const args = ["dedupe", "--page-aliases", file, "--shadow", shadow];
  const { stdout } = await runCli(args, urls);
  expect(stdout).toBe(urls);
  const listed = readFileSync(shadow, "utf8").trimEnd().split("\n");
  expect(listed.map((line) => line.split("\t").slice(0, 2))).toEqual([
    ["http://a.b/2020/news/", "http://a.b/2020/news/"],
  ]);
});

test("a wrong file of aliases is refused with its line and the reason", async () => {
  const wrong = write("wrong.tsv", "#urlmill-aliases 1\na.b\t/x\t/y\na.b\t/y\t/z\n");
  const { code, stderr, stdout } = await runCli(["normalize", "--page-aliases", wrong], urls);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("line 2 of the aliases: the target /y is itself an alias, in line 3");
  const missing = await runCli(["normalize", "--page-aliases", join(folder, "none")], urls);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("cannot read")]);
});

test("a byte order mark before the aliases is no part of them", async () => {
  const marked = write("marked.tsv", `\uFEFF${ALIASES}`);
  const { stdout } = await runCli(["normalize", "--page-aliases", marked], urls);
  expect(stdout.split("\n")[0]).toBe("http://a.b/2020/news/");
});

test("learn --page-aliases writes what rules leave apart, and dedupe applies it", async () => {
  const [rules, aliases] = [join(folder, "learned.tsv"), join(folder, "learned-aliases.tsv")];
  const posts = Array.from({ length: 30 }, (_, n) => [
    [`http://a.org/?p=${7 * n + 3}`, `cls:${n}`],
    [`http://a.org/${"abcdefg".slice(n % 7)}-${n * n}/`, `cls:${n}`],
    [`http://a.org/${"abcdefg".slice(n % 7)}-${n * n}/?replytocom=${n}`, `cls:${n}`],
  ]).flat();
  const list = write(
    "posts.tsv",
    `${[["url", "fp"], ...posts].map((row) => row.join("\t")).join("\n")}\n`,
  );
  const args = ["learn", list, "-o", rules, "--page-aliases", aliases];
  const report = join(folder, "report.html");
  const learned = await runCli([...args, "--report", report]);
  expect(learned).toMatchObject({ code: 0, stdout: "" });
  expect(learned.stderr).toContain("30 of 60 redundant URLs removed (50.0 %)");
  expect(learned.stderr).toMatch(/, 30 aliases, pages told by fp$/m);
  expect(readFileSync(aliases, "utf8").split("\n").slice(0, 2)).toEqual([
    "#urlmill-aliases 1",
    "a.org\t/abcdefg-0/\t/?p=3\tfingerprint",
  ]);
  expect(readFileSync(report, "utf8")).toMatch(/<h3>Aliases<\/h3>\s*<p class="meta">30 aliases/);
  expect(readFileSync(report, "utf8")).toContain("and 20 more aliases");
  const lines = posts.map(([url]) => `${url}\n`).join("");
  const { stdout } = await runCli(["dedupe", "--rules", rules, "--page-aliases", aliases], lines);
  expect(stdout.split("\n").length - 1).toBe(30);
  const once = await runCli(["learn", list, "-o", rules]);
  expect(once.stderr.replaceAll(folder, "")).not.toContain("alias");
  const twice = await runCli(["learn", list, "-o", rules, "--page-aliases", rules]);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("written twice")]);
});

test("learn --page-aliases writes ranges of numbers, and dedupe applies them to URLs that no list had", async () => {
  const [rules, aliases] = [join(folder, "forum-rules.tsv"), join(folder, "forum-aliases.tsv")];
  const rows = Array.from({ length: 200 }, (_, n) => [
    `http://f.org/m?p=${3 * n}`,
    `cls:${Math.floor(n / 5)}`,
  ]);
  const list = write("forum.tsv", [["url", "fp"], ...rows].map((row) => row.join("\t")).join("\n"));
  const report = join(folder, "forum.html");
  const args = ["learn", list, "-o", rules, "--page-aliases", aliases, "--report", report];
  const { stderr } = await runCli(args);
  expect(stderr).toContain(", 40 aliases (40 ranges of numbers), ");
  expect(readFileSync(aliases, "utf8")).toContain("\nf.org\t/m?p=<16..27>\t/m?p=15\tfingerprint\n");
  const html = readFileSync(report, "utf8");
  expect(html).toContain("40 aliases of pages that have another key after the rules (40 ranges of");
  expect(html.replaceAll(/<\/?mark>/g, "")).toContain("/m?p=&lt;16..27&gt;");
  const unseen = "http://f.org/m?p=20\nhttp://f.org/m?p=26\nhttp://f.org/m?p=28\n";
  const { stdout } = await runCli(["dedupe", "--rules", rules, "--page-aliases", aliases], unseen);
  expect(stdout).toBe("http://f.org/m?p=20\nhttp://f.org/m?p=28\n");
});

test("learn --page-aliases writes things with any other parameters, and dedupe applies them", async () => {
  const [rules, aliases] = [join(folder, "wiki-rules.tsv"), join(folder, "wiki-aliases.tsv")];
  const rows = Array.from({ length: 240 }, (_, n) => {
    const article = Math.floor(n / 4);
    const [name, view] = ["abcdefghij".charAt(article % 10) + "klmnop".charAt(article / 10), n % 4];
    const page = article % 3 === 0 ? `${article}` : `${article} ${view}`;
    return `http://w.org/${name}?${"wxyz".charAt(view)}\tcls:${page}`;
  });
  const list = write("wiki.tsv", `url\tfp\n${rows.join("\n")}\n`);
  const report = join(folder, "wiki.html");
  const args = ["learn", list, "-o", rules, "--page-aliases", aliases, "--report", report];
  const { stderr } = await runCli(args);
  expect(stderr).toContain(", 20 aliases (20 for any other parameters), ");
  expect(readFileSync(aliases, "utf8")).toContain("\nw.org\t/ak?<*>\t/ak?w\tfingerprint\n");
  expect(readFileSync(report, "utf8")).toContain("after the rules (20 for any other parameters).");
  const unseen = "http://w.org/ak?other\nhttp://w.org/ak\nhttp://w.org/bk?other\n";
  const { stdout } = await runCli(["dedupe", "--rules", rules, "--page-aliases", aliases], unseen);
  expect(stdout).toBe("http://w.org/ak?other\nhttp://w.org/bk?other\n");
});

test("learn --page-aliases says how many aliases lead to the page of another name", async () => {
  const rows = Array.from({ length: 26 }, (_, n) => {
    const letter = String.fromCharCode(97 + n);
    const page = n < 6 ? "empty" : letter;
    return `http://n.org/w?title=${letter}ab\tcls:${page}\nhttp://n.org/w?title=${letter}ab&x=${n}\tcls:${page}\n`;
  });
  const list = write("names.tsv", `url\tfp\n${rows.join("")}`);
  const files = ["-o", join(folder, "names-rules.tsv"), "--page-aliases", join(folder, "names")];
  const report = join(folder, "names.html");
  const { stderr } = await runCli(["learn", list, ...files, "--report", report]);
  expect(stderr).toContain(", 5 aliases (5 to the page of another name), ");
  expect(readFileSync(report, "utf8")).toContain("the rules (5 to the page of another name).");
});
