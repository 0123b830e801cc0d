// Does the fourteen tasks of a new user in an empty project, with the package as it is packed and with what the documents
// print. Each task names the document that has its code, which README links. `npm run proof tasks`

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Site } from "../../examples/site/site.ts";
import { CHROMIUM } from "../shared/chromium.ts";
import { codeBlocks, readDocument } from "../shared/code-blocks.ts";
import { serveFolder } from "../shared/serve-folder.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { makeList } from "./make-list.mjs";
import { time } from "./time.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PYTHON = process.env["PYTHON"] ?? "python3";
const LINES = Number(process.env["URLMILL_TASK_LINES"] ?? 20_000_000);
/** Seconds that all tasks may take together, without installations and made data. */
const SECONDS = 480;

const folder = tempFolder();
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), "utf8");
const linesOf = (name: string): string[] => read(name).trimEnd().split("\n");

/** Returns the one block of code of a document that has a text. */
function blockOf(document: string, text: string): string {
  const found = codeBlocks().filter(
    ({ place, lines }) => place.startsWith(`${document}:`) && lines.join("\n").includes(text),
  );
  expect([document, text, found.map(({ place }) => place)]).toEqual([
    document,
    text,
    [expect.any(String)],
  ]);
  return (found[0]?.lines ?? []).join("\n");
}

/** Returns the command of a document that has a text, without what it prints. */
function commandOf(document: string, text: string): string {
  const line = blockOf(document, text)
    .split("\n")
    .find((one) => one.includes(text));
  return (line ?? "").replace(/^\$ /, "").replace(/ {2,}#.*$/, "");
}

/** Runs a line of the shell in the project and returns what it prints. */
async function shell(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", line], {
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  return stdout;
}

/** Saves a program and runs it. */
async function run(name: string, text: string, ...args: string[]): Promise<string> {
  writeFileSync(at(name), text);
  const program = name.endsWith(".py") ? PYTHON : process.execPath;
  const { stdout } = await promisify(execFile)(program, [name, ...args], { cwd: folder });
  return stdout;
}

const CAPTURES = [
  { url: "http://shop.example/p?id=1&utm_source=x", date: "2024-01-05" },
  { url: "HTTP://SHOP.example/p?id=1", date: "2024-03-01" },
  { url: "http://shop.example/p?id=2#top", date: "2024-02-01" },
];
/** The rows that stay: the newest of each page. */
const NEWEST = CAPTURES.slice(1);

/** Makes the files that the tasks are about, under the names that the documents use. */
async function makeData(): Promise<void> {
  const csv = CAPTURES.map(({ url, date }) => `${url},${date}\n`).join("");
  writeFileSync(at("crawl.csv"), `url,date\n${csv}`);
  const json = CAPTURES.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(at("crawl.jsonl.gz"), gzipSync(json));
  const { parquetWriteFile } = await import("hyparquet-writer");
  const column = (name: "url" | "date") => ({
    name,
    data: CAPTURES.map((row) => row[name]),
    type: "STRING" as const,
  });
  parquetWriteFile({ filename: at("crawl.parquet"), columnData: [column("url"), column("date")] });
  writeFileSync(at("monday.txt"), "http://a.example/1\nhttp://a.example/2\n");
  writeFileSync(at("tuesday.txt"), "HTTP://A.example/1\nhttp://b.example/3\n");
  copyFileSync(join(ROOT, "test/fixtures/learn/forum.tsv.gz"), at("forum.tsv.gz"));
  await makeList(400_000, at("night.txt"), join(ROOT, "test/fixtures/urls-50k.txt.gz"));
  await makeList(LINES, at("many.txt"), join(ROOT, "test/fixtures/urls-50k.txt.gz"));
}

beforeAll(async () => {
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: ROOT, encoding: "utf8" }).trim();
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const added = ["typescript", "@types/node", "vite", "@crawlee/cheerio"].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
  const parquet = /npm install (hyparquet\S* \S+ \S+)`/.exec(readDocument("README.md"))?.[1];
  writeFileSync(at("package.json"), '{ "type": "module", "private": true }\n');
  const install = ["install", "--no-audit", "--no-fund", "--silent", join(folder, tarball)];
  execFileSync("npm", [...install, ...added, ...(parquet ?? "").split(" ")], { cwd: folder });
  await makeData();
}, 600_000);

let seconds = 0;
afterAll(() => expect(seconds).toBeLessThan(SECONDS));

/** Tests that a task is done with what a document prints, which README links. */
function task(name: string, document: string, work: () => Promise<void>): void {
  test(`${name}: ${document}`, async () => {
    if (document !== "README.md") expect(readDocument("README.md")).toContain(`](${document}`);
    const started = performance.now();
    await work();
    seconds += (performance.now() - started) / 1000;
  });
}

task("a key in strict TypeScript", "docs/getting-started.md", async () => {
  const text = blockOf("docs/getting-started.md", "satisfies NormalizerOptions");
  writeFileSync(at("key.ts"), `${text}\nconsole.log(key);\n`);
  await shell(
    "npx tsc --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --types node --module nodenext key.ts",
  );
  expect(await shell("node key.js")).toBe("http://a/?b\n");
});

task("unique rows, the newest kept", "README.md", async () => {
  const command = commandOf("README.md", "--keep max:date");
  await shell(command);
  expect(linesOf("newest.csv")).toEqual([
    "url,date",
    ...NEWEST.map(({ url, date }) => `${url},${date}`),
  ]);
  await shell(command.replaceAll(".csv", ".jsonl.gz"));
  expect(await shell("zcat newest.jsonl.gz")).toBe(
    NEWEST.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  await shell(command.replaceAll(".csv", ".parquet"));
  const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
  const file = await asyncBufferFromFile(at("newest.parquet"));
  expect(await parquetReadObjects({ file })).toEqual(NEWEST);
});

task("a daily list", "README.md", async () => {
  const command = commandOf("README.md", "--seen crawl.seen");
  await shell(command);
  expect(linesOf("new-monday.txt")).toHaveLength(2);
  await shell(command.replaceAll("monday", "tuesday"));
  expect(linesOf("new-tuesday.txt")).toEqual(["http://b.example/3"]);
});

task("Crawlee", "README.md", async () => {
  const site = await Site.start();
  await run("crawl.mjs", blockOf("README.md", "startRequest("), site.url);
  const { pages, fetches } = site;
  await site.close();
  expect({ pages, fetches }).toEqual({ pages: 360, fetches: 360 });
});

task("a loop that fetches", "examples/README.md", async () => {
  const site = await Site.start();
  const printed = await run("fetch.mjs", readDocument("examples/fetch.mjs"), site.url);
  await site.close();
  expect(printed).toBe("360 pages, 360 fetches\n");
});

task("learned rules", "docs/learn.md", async () => {
  await shell(commandOf("docs/learn.md", "--max-page-loss 0.001"));
  await shell("zcat forum.tsv.gz | tail -n +2 | cut -f 1 > links.txt");
  await shell(commandOf("docs/learn.md", "--shadow merged.tsv"));
  await shell(commandOf("docs/learn.md", "links.txt -o unique.txt"));
  // 962 pages, and the redundant URLs that no rule removes.
  expect([linesOf("links.txt").length, linesOf("unique.txt").length]).toEqual([1957, 971]);
});

task("Vite", "docs/browsers-and-edge.md", async () => {
  writeFileSync(
    at("worker.ts"),
    blockOf("docs/browsers-and-edge.md", 'addEventListener("message", async'),
  );
  writeFileSync(at("main.ts"), blockOf("docs/browsers-and-edge.md", "new Worker("));
  writeFileSync(at("index.html"), '<!doctype html><script type="module" src="main.ts"></script>');
  await shell("npx vite build --logLevel error");
  const served = await serveFolder(at("dist"));
  const browser = await chromium.launch({
    executablePath: CHROMIUM as string,
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage();
  const logged = page.waitForEvent("console", (message) => message.type() === "log");
  await page.goto(served.url);
  expect((await logged).text()).toBe("[http://a/?a&b]");
  await browser.close();
  await served.close();
});

task("pandas, Polars, DuckDB", "docs/python-spark-duckdb-clickhouse.md", async () => {
  const blocks = [
    [
      "by_date = links.sort_values",
      "print(*newest['date'])",
      "2024-01-05 2024-01-05 2024-01-05 2024-03-01 2024-03-01",
    ],
    ['links = pl.LazyFrame({"page"', "print(newest.collect().height)", "2"],
    [
      "url_normalize('HTTP://A/?b&a#c')",
      "print(connection.sql(\"SELECT url_normalize('HTTP://A')\").fetchall())",
      "[('http://a/',)]",
    ],
  ];
  for (const [text = "", shown, printed] of blocks) {
    const program = blockOf("docs/python-spark-duckdb-clickhouse.md", text);
    expect(await run("table.py", `${program}\n${shown}\n`)).toBe(`${printed}\n`);
  }
});

task("20 million lines in 256 MB", "docs/cli.md", async () => {
  const command = commandOf("docs/cli.md", "--memory 128M").replace("links.txt", "many.txt");
  const main = at("node_modules/urlmill/dist/cli/main.js");
  const args = command.replace(/^npx urlmill /, "").split(" ");
  const { peak } = await time(process.execPath, [main, ...args], { cwd: folder });
  console.log(`${LINES} lines: ${peak.toFixed(0)} MB`);
  expect(peak).toBeLessThan(256);
});

task("why two URLs are not one, and one for their site", "docs/faq.md", async () => {
  const command = commandOf("docs/faq.md", "explain --preset crawl");
  const printed = await shell(`npx ${command}`);
  writeFileSync(at("site.tsv"), `#urlmill-rules 1\n${printed.trimEnd().split("\n").at(-1)}\n`);
  const urls =
    "'https://shop.example/a?sid=1#top' 'https://shop.example/a?sid=2' 'https://b.example/?sid=1' 'https://b.example/?sid=2'";
  const unique = await shell(
    `printf '%s\\n' ${urls} | npx urlmill dedupe --preset crawl --rules site.tsv`,
  );
  expect(unique.trimEnd().split("\n")).toHaveLength(3);
});

task("a nightly job that is killed", "docs/getting-started.md", async () => {
  const command = commandOf("docs/getting-started.md", "nightly.seen tuesday.txt").replace(
    "tuesday.txt",
    "night.txt",
  );
  let kills = 0;
  for (let wait = 300; ; wait += 150) {
    const job = spawn("sh", ["-c", command], { cwd: folder, detached: true, stdio: "ignore" });
    const timer = setTimeout(() => process.kill(-(job.pid as number), "SIGKILL"), wait);
    const [code] = await once(job, "close");
    clearTimeout(timer);
    if (code === 0) break;
    kills++;
  }
  expect(kills).toBeGreaterThan(0);
  await shell("npx urlmill dedupe --preset crawl night.txt -o all-at-once.txt");
  expect(read("new-on-tuesday.txt") === read("all-at-once.txt")).toBe(true);
});

task("two teams' lists", "docs/faq.md", async () => {
  await shell(commandOf("docs/faq.md", "monday.txt tuesday.txt"));
  expect(linesOf("both.txt")).toEqual([...linesOf("monday.txt"), "http://b.example/3"]);
});

task("pages of each host", "docs/faq.md", async () => {
  const command = commandOf("docs/faq.md", "--form host -c");
  const printed = await shell(command.replace("pages.txt", "monday.txt tuesday.txt"));
  expect(printed).toBe("      2 a.example\n      1 b.example\n");
});

task("a block list", "docs/crawlers.md", async () => {
  await shell("printf 'ads.example\\ncasino.example\\n' | gzip > domains.gz");
  writeFileSync(at("links.txt"), "https://www.casino.example/play\nhttps://blog.example/\n");
  const printed = await shell(commandOf("docs/crawlers.md", "--block domains.gz"));
  expect(printed).toBe("https://blog.example/\n");
});
