import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { createNormalizer, isError, Status, statusName } from "urlmill";
import { readCorpus } from "./corpus.ts";

const title = (text: string): void => console.log(`\n${styleText("bold", text)}`);
const number = (value: number): string => value.toLocaleString("en");

const corpus = readCorpus();
const normalizer = createNormalizer();
normalizer.normalizeLines(corpus.bytes); // the first call compiles

const started = performance.now();
const { bytes, status } = normalizer.normalizeLines(corpus.bytes);
const milliseconds = performance.now() - started;
const normalized = Buffer.from(bytes).toString("latin1").split("\n");

title(`${number(corpus.urls.length)} real URLs, preset safe, engine ${normalizer.engine}`);
const counts = new Map<number, number>();
for (const code of status) counts.set(code, (counts.get(code) ?? 0) + 1);
for (const [code, count] of [...counts].toSorted(([a], [b]) => a - b)) {
  console.log(`  ${statusName(code).toLowerCase().padEnd(12)} ${number(count).padStart(8)}`);
}
console.log(
  `  in ${milliseconds.toFixed(1)} ms: ${number(Math.round(corpus.urls.length / milliseconds) * 1000)} URLs a second`,
);

const changed = [...status.keys()].filter((row) => status[row] === Status.CHANGED);
const isPathless = (row: number): boolean => `${corpus.urls[row]}/` === normalized[row];
const others = changed.filter(
  (row) => !isPathless(row) && (corpus.urls[row] as string).length < 90,
);
title(
  `${number(changed.filter(isPathless).length)} had no path and got their /. Some of the others`,
);
const step = Math.floor(others.length / 8);
for (let sample = 0; sample < 8; sample++) {
  const row = others[sample * step] as number;
  console.log(`  ${corpus.urls[row]}\n  ${styleText("green", normalized[row] as string)}\n`);
}

title("Lines that are not URLs");
for (const row of [...status.keys()].filter((row) => isError(status[row] as number)).slice(0, 5)) {
  console.log(
    `  ${statusName(status[row] as number).padEnd(10)} ${corpus.urls[row]?.slice(0, 80)}`,
  );
}

title("Duplicates, by preset crawl");
const crawled = createNormalizer({ preset: "crawl" }).normalizeLines(corpus.bytes);
const keys = Buffer.from(crawled.bytes).toString("latin1").split("\n");
const groups = new Map<string, number[]>();
for (const [row, code] of crawled.status.entries()) {
  if (isError(code)) continue;
  const key = keys[row] as string;
  groups.set(key, [...(groups.get(key) ?? []), row]);
}
const spelledApart = [...groups].filter(
  ([, rows]) => new Set(rows.map((row) => corpus.urls[row])).size > 1,
);
const merged = [...groups.values()].reduce((sum, rows) => sum + rows.length - 1, 0);
console.log(`  ${number(merged)} lines name a page that an earlier line names`);
console.log(`  ${number(spelledApart.length)} pages are spelled in more than one way, such as:`);
for (const [key, rows] of spelledApart.slice(0, 4)) {
  console.log(`\n  ${styleText("green", key)}`);
  for (const spelling of new Set(rows.map((row) => corpus.urls[row]))) {
    if (spelling !== key) console.log(`    ${spelling}`);
  }
}
console.log("\nThe same on the command line: npx urlmill dedupe --preset crawl --stats FILE\n");

title("A forum, whose rules are learned from its pages");
const root = new URL("../../", import.meta.url);
const call = ["learn", "test/fixtures/learn/forum.tsv.gz", "--max-page-loss", "0.001"];
console.log(`  npx urlmill ${call.join(" ")}`);
const learned = spawnSync(process.execPath, ["dist/cli/main.js", ...call], {
  cwd: fileURLToPath(root),
  encoding: "utf8",
});
console.log(
  `  ${styleText("green", learned.stderr.split("\n")[0]?.replace("urlmill: ", "") ?? "")}`,
);
for (const rule of learned.stdout.trim().split("\n").slice(1)) {
  console.log(`    ${rule.split("\t").slice(1, 3).join("   ")}`);
}
console.log();
