// Measures the cost of rules for sites: without rules, with rules for other sites, with rules that apply.
// `npm run bench rules`
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { createNormalizer, type NormalizerOptions } from "urlmill";
import { readCorpus } from "./corpus.ts";
import { FORUM_RULES, forumUrls, OTHER_RULES } from "./forum.ts";
import { fresh } from "./fresh.ts";
import { measure } from "./measure.ts";
import { type Contestant, whole } from "./path.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    engine: { type: "string", default: "wasm" },
    only: { type: "string", default: "" },
  },
});
const rounds = Number(values.rounds);
const real = readCorpus();
const forum = fresh(forumUrls(50_000));
const ruled = createNormalizer({ rules: FORUM_RULES }).normalizeBatch(forum).urls as string[];
const share = ruled.filter((url, row) => url !== forum[row]).length / forum.length;
const corpora = [
  { name: real.name, urls: real.urls },
  { name: `made-up forum, rules change ${Math.round(100 * share)} %`, urls: forum },
  { name: "the same, as rules leave them", urls: fresh(ruled) },
  {
    name: "both, one by one",
    urls: fresh(real.urls.flatMap((url, at) => [url, forum[at] ?? url])),
  },
];
const PLANS: readonly (readonly [name: string, rules: string | undefined])[] = [
  ["without rules", undefined],
  ["rules for 10,000 other sites", OTHER_RULES],
  ["rules that fire", FORUM_RULES],
  ["both", OTHER_RULES + FORUM_RULES],
];

function contestants(urls: readonly string[], options: NormalizerOptions): Contestant[] {
  const bytes = Buffer.from(`${urls.join("\n")}\n`);
  return PLANS.map(([name, rules]) => {
    const engine = values.engine as "wasm" | "js";
    const normalizer = createNormalizer({ ...options, engine, ...(rules && { rules }) });
    return whole(name, urls, () => normalizer.normalizeLines(bytes));
  });
}

const count = FORUM_RULES.split("\n").length - 2;
console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, one core, engine ${values.engine}`,
);
console.log(`median of ${rounds} interleaved rounds, lines; ${count} rules on the forum's site\n`);
console.log("| URLs | preset | rules | ns a URL | million a second | x without |");
console.log("|---|---|---|---:|---:|---:|");
for (const { name, urls } of corpora) {
  for (const preset of ["safe", "crawl"] as const) {
    if (!`${name} ${preset}`.includes(values.only)) continue;
    const times = await measure({ contestants: contestants(urls, { preset }) }, rounds);
    const plain = times.get("without rules") as number;
    for (const [rules, time] of times) {
      const cells = [name, preset, rules, time.toFixed(0), (1e3 / time).toFixed(2)];
      console.log(`| ${cells.join(" | ")} | ${(time / plain).toFixed(3)} |`);
    }
  }
}
