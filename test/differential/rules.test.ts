import { expect, test } from "vitest";
import {
  createNormalizer,
  isError,
  type Normalizer,
  type NormalizerOptions,
} from "../../src/index.ts";
import { fromColumn, toColumn } from "../shared/columns.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { modelNormalize } from "../shared/model.ts";
import { Random } from "../shared/random.ts";
import {
  randomListRules,
  randomRules,
  sitesOf,
  urlsForRules,
  withExceptions,
} from "../shared/random-rules.ts";

const SETS = Number(process.env["URLMILL_RULE_SETS"] ?? atLength(2, 40));
const URLS = 160;
const SEED = Number(process.env["URLMILL_RULE_SEED"] ?? 5);
const SITE = /^https?:\/\/(?:[^@/]*@)?([^/]*)/;

const OPTIONS: readonly NormalizerOptions[] = [
  {},
  {},
  { preset: "crawl" },
  { preset: "aggressive" },
  { sortQuery: "name-value", valuelessParams: "add-equals" },
  { trailingSlash: "add", hostAliases: { "c.d": "a.b" }, emptyQuery: "remove" },
  { maxLength: 40 },
  { www: "add", sites: { "a.b": { dropParams: ["q"], www: "keep" } } },
];

const plainNormalizers = new Map<NormalizerOptions, Normalizer>();

function withoutRules(options: NormalizerOptions): Normalizer {
  const known = plainNormalizers.get(options) ?? createNormalizer({ ...options, engine: "wasm" });
  plainNormalizers.set(options, known);
  return known;
}

/** What is wrong with one file of rules on some URLs, and how many of these it changes. */
function findRuleFindings(
  options: NormalizerOptions,
  rules: string,
  inputs: readonly string[],
): { findings: object[]; changed: number } {
  const engine = (engine: "wasm" | "js", more: NormalizerOptions) =>
    createNormalizer({ ...options, ...more, engine });
  const column = toColumn(inputs);
  const [wasm, js] = [engine("wasm", { rules }), engine("js", { rules })];
  const first = wasm.normalizeColumn(column);
  const second = js.normalizeColumn(column);
  const lines = wasm.normalizeLines(Buffer.from(`${inputs.join("\n")}\n`, "latin1"));
  const [outputs, others] = [fromColumn(first), fromColumn(second)];
  const again = fromColumn(wasm.normalizeColumn(toColumn(outputs)));
  const without = fromColumn(withoutRules(options).normalizeColumn(column));
  const written = Buffer.from(lines.bytes).toString("latin1").split("\n");
  const sites = sitesOf(rules);
  const findings: object[] = [];
  let changed = 0;
  for (const [row, input] of inputs.entries()) {
    const status = first.status[row] as number;
    const output = outputs[row] as string;
    const plain = without[row] as string;
    if (output !== plain) changed++;
    const site = SITE.exec(plain)?.[1];
    const isTouched = site !== undefined && (sites === null || sites.has(site));
    const isRight =
      output === others[row] &&
      status === second.status[row] &&
      output === written[row] &&
      status === lines.status[row] &&
      (isError(status) || again[row] === output) &&
      (output === plain || (isTouched && modelNormalize(output) === output));
    if (isRight) continue;
    findings.push({
      options,
      rules,
      input,
      plain,
      output,
      js: others[row],
      line: written[row],
      again: again[row],
    });
  }
  return { findings, changed };
}

test("engines agree where a site has more rules than are looked at in one go", () => {
  const random = new Random(SEED + 1);
  for (const count of sampleOf([63, 64, 65, 127, 128, 129, 200], 4)) {
    const rules = randomRules(random, 2 * count, true);
    const found = findRuleFindings({}, rules, urlsForRules(random, URLS));
    expect(found.findings.slice(0, 2)).toEqual([]);
  }
});

test("engines agree on random rules and URLs, the output is a fixpoint, and other sites stay", () => {
  const random = new Random(SEED);
  let changed = 0;
  for (let set = 0; set < SETS; set++) {
    const options = random.pick(OPTIONS);
    const rules = randomRules(random, 1 + random.below(8), options.preset !== "aggressive");
    const found = findRuleFindings(options, rules, urlsForRules(random, URLS));
    expect(found.findings.slice(0, 2)).toEqual([]);
    changed += found.changed;
  }
  expect(changed).toBeGreaterThan((SETS * URLS) / 5);
});

test("engines agree on domains, names that stand for others, classes of values and lengths", () => {
  const random = new Random(SEED + 3);
  let changed = 0;
  for (let set = 0; set < 2 * SETS; set++) {
    const options = random.pick(OPTIONS.filter(({ preset }) => preset !== "aggressive"));
    const count = random.chance(5) ? 70 : 1 + random.below(8);
    const rules = randomListRules(random, count);
    const found = findRuleFindings(options, rules, urlsForRules(random, URLS));
    expect(found.findings.slice(0, 2)).toEqual([]);
    changed += found.changed;
  }
  expect(changed).toBeGreaterThan((SETS * URLS) / 3);
});

test("engines agree on rules with exceptions, which keep some URLs apart", () => {
  const random = new Random(SEED + 2);
  const plain = createNormalizer();
  let kept = 0;
  for (let set = 0; set < SETS; set++) {
    const inputs = urlsForRules(random, URLS);
    const normal = plain.normalizeBatch(inputs).urls.filter((url) => url !== null);
    const without = randomRules(random);
    const rules = withExceptions(random, without, normal);
    expect(findRuleFindings(random.pick(OPTIONS), rules, inputs).findings.slice(0, 2)).toEqual([]);
    const [some, all] = [rules, without].map(
      (text) => createNormalizer({ rules: text }).normalizeBatch(inputs).urls,
    ) as [(string | null)[], (string | null)[]];
    kept += some.filter((url, row) => url !== all[row]).length;
  }
  expect(kept).toBeGreaterThan(SETS);
});
