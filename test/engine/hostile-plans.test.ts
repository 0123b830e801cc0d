import { expect, test } from "vitest";
import { JsEngine } from "../../src/engine/js/engine.ts";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { CHOICES, type NormalizerOptions } from "../../src/options/catalog.generated.ts";

import type { CompiledOptions } from "../../src/options/compiled-options.ts";
import { encodePlan } from "../../src/plan/encode/encode.ts";
import { writeSiteRules } from "../../src/plan/encode/encode-rules.ts";
import { CHOICE_BYTES, choiceBits, ENTRY, HEADER, TABLE } from "../../src/plan/layout.ts";
import { parseRule, type Rule } from "../../src/site-rules/index.ts";
import { compiledFor, KERNEL, planFor } from "../shared/engine-parts.ts";
import { atLength } from "../shared/length.ts";
import { runMutants } from "../shared/run-mutants.mjs";

const MUTANTS = atLength(200, 30_000, 100_000);

test(`${MUTANTS} changed plans are refused by both engines, or normalize to the end`, async () => {
  const { accepted, faults } = await runMutants(0, MUTANTS);
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(MUTANTS / 20);
}, 240_000);

/** Returns the error code with which each engine refuses a plan; null for one that takes it. */
function refusals(plan: Uint8Array): (string | null)[] {
  const engines = [() => new Kernel(plan, 1024, KERNEL), () => new JsEngine(plan, "a test")];
  return engines.map((start) => {
    try {
      start();
      return null;
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  });
}

const REFUSED = ["ENGINE_FAILED", "ENGINE_FAILED"];

/** A plan of options, with words that `change` sets. */
function changed(
  options: NormalizerOptions,
  change: (view: DataView, word: (at: number) => number) => void,
): Uint8Array {
  const plan = planFor(options);
  const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
  change(view, (at) => view.getUint32(at, true));
  return plan;
}

test("a plan as it is written is taken", () => {
  expect(refusals(changed({ preset: "crawl" }, () => {}))).toEqual([null, null]);
});

test.each([0, 1, 2, 3, 5, 44, 47])("a plan cut to %i bytes is refused", (bytes) => {
  expect(refusals(planFor({ preset: "safe" }).slice(0, bytes))).toEqual(REFUSED);
});

test("a table without an empty slot is refused, because a look-up would not end", () => {
  const plan = changed({ allowedSchemes: ["http"] }, (view, word) => {
    const table = word(4 * HEADER.SCHEMES);
    const slots = word(table) + 1;
    const at = (slot: number) => table + 4 * (TABLE.WORDS + slot);
    const entry = Array.from({ length: slots }, (_, slot) => word(at(slot))).find(Boolean);
    for (let slot = 0; slot < slots; slot++) view.setUint32(at(slot), entry as number, true);
  });
  expect(refusals(plan)).toEqual(REFUSED);
});

test("a name as long as memory is refused", () => {
  const plan = changed({ allowedSchemes: ["http"] }, (view, word) => {
    const table = word(4 * HEADER.SCHEMES);
    let slot = 0;
    while (word(table + 4 * (TABLE.WORDS + slot)) === 0) slot++;
    const entry = word(table + 4 * (TABLE.WORDS + slot));
    view.setUint32(entry + 4 * ENTRY.LENGTH, 0xffff_fff0, true);
    view.setUint32(table + 4 * TABLE.LONGEST, 0xffff_fff0, true);
  });
  expect(refusals(plan)).toEqual(REFUSED);
});

test("a choice that no option has is refused, in each place that a profile has for one", () => {
  const known = Object.values(CHOICES).map(({ length }) => length);
  for (let place = 0; place < 2 * CHOICE_BYTES; place++) {
    const count = known[place] ?? 1;
    for (const choice of [count - 1, count, 15]) {
      const plan = changed({ preset: "safe" }, (view, word) => {
        const [at, bit] = choiceBits(place);
        const profile = word(4 * HEADER.PROFILE);
        expect(word(profile + 4 * at)).toBe(0);
        view.setUint32(profile + 4 * at, choice << bit, true);
      });
      const expected = choice < count ? [null, null] : REFUSED;
      expect([place, choice, refusals(plan)]).toEqual([place, choice, expected]);
    }
  }
});

/** Writes rules that no text can say, or that are refused as a text. */
function ruled(...rules: Rule[]): Uint8Array {
  return compiled({ siteRules: new Map([["a.org", rules]]) });
}

/** Compiles options of preset `safe` and more, which nothing checks. */
function compiled(more: Partial<CompiledOptions>): Uint8Array {
  return encodePlan({ ...SAFE, ...more }, () => ({
    writeSiteRules,
    normalizeAliases: (aliases) => aliases,
  }));
}

const SAFE = compiledFor({ preset: "safe" });
const SUB = parseRule("a.org\t*\tsub /print/<N><$> => /<1>");
const sub = (from: unknown[], to: unknown[]): Rule =>
  ({ ...SUB, action: { type: "sub", from, to } }) as unknown as Rule;
const text = (value: string) => ({ kind: "text", text: value });

test.each<[string, Rule]>([
  ["matches no byte", sub([text("")], [])],
  ["has no pattern", sub([], [])],
  ["makes a URL longer", sub([text("/a")], ["/aa"])],
  ["copies a capture twice", sub([text("/a"), { kind: "word" }, text("aaa")], [1, 1])],
  ["copies a capture that is not there", sub([text("/aaaa")], [1])],
  ["copies a tenth capture", sub(manyRuns(10), [10])],
  ["reads a run again from each of its bytes", sub([text("-"), { kind: "word" }, text("/x")], [])],
  ["has two runs side by side", sub([text("/a"), { kind: "digits" }, { kind: "word" }], [])],
  ["has a segment in a substring", sub([text("/a"), { kind: "segment", suffix: "" }], [])],
  ["has more elements than a pattern may have", sub(manyRuns(40), [])],
])("a substitution that %s is refused", (_, rule) => {
  expect(refusals(ruled(SUB))).toEqual([null, null]);
  expect(refusals(ruled(rule))).toEqual(REFUSED);
});

test("the longest alias is no longer than its plan", () => {
  for (const [more, expected] of [
    [0, [null, null]],
    [1, REFUSED],
  ] as const) {
    const plan = planFor({ preset: "safe" });
    const view = new DataView(plan.buffer, plan.byteOffset, plan.byteLength);
    view.setUint32(4 * HEADER.LONGEST_ALIAS, plan.length + more, true);
    expect(refusals(plan)).toEqual(expected);
  }
});

test("a part that begins in another one is checked as well", () => {
  const plan = Buffer.from(ruled(parseRule("a.org\t*\tcut print")));
  expect(refusals(plan)).toEqual([null, null]);
  const words = Array.from({ length: plan.length / 4 }, (_, word) => plan.readUInt32LE(4 * word));
  const subject = 4 * words.indexOf(plan.indexOf("print") - 4);
  // The block of one rule: 24 bytes, 8 of its masks, a pair of 80; then the rule, whose subject is its fifth word.
  const block = subject - 128;
  expect(words[block / 4]).toBe(1);
  for (const at of [block, block + 4, block + 8, block + 12, subject - 16]) {
    const changed = Buffer.from(plan);
    changed.writeUInt32LE(at, subject);
    changed.writeUInt32LE(0x7fff_fff1, at);
    expect(refusals(changed)).toEqual(REFUSED);
  }
});

function manyRuns(count: number): unknown[] {
  return Array.from({ length: count }, () => [text("/"), { kind: "digits" }]).flat();
}

const host = (from: string, target: string) => ({
  host: from,
  below: false,
  isLabel: false,
  target,
});
const label = (name: string) => ({ host: name, below: false, isLabel: true, target: "*" });
const site = (name: string, www: "add" | "remove") => ({
  host: name,
  subdomains: false,
  profile: { ...SAFE.profile, www },
});

test.each<[string, Partial<CompiledOptions>]>([
  ["an alias and its inverse", { hostAliases: [host("a.b", "c.d"), host("c.d", "a.b")] }],
  [
    "a long circle of aliases",
    { hostAliases: Array.from({ length: 99 }, (_, n) => host(`a${n}.b`, `a${(n + 1) % 99}.b`)) },
  ],
  [
    "an alias to a host with a label that goes",
    { hostAliases: [host("a.b", "m.a.b"), label("m")] },
  ],
  [
    "a label that goes and comes",
    { hostAliases: [label("www")], profile: { ...SAFE.profile, www: "add" } },
  ],
  [
    "a label that comes on some hosts",
    { hostAliases: [label("www")], sites: [{ ...site("b", "add"), subdomains: true }] },
  ],
  ["www that comes and goes", { sites: [site("a.b", "add"), site("www.a.b", "remove")] }],
  [
    "www that goes from an alias back to its host",
    {
      hostAliases: [host("a.b", "www.a.b")],
      sites: [site("www.a.b", "remove")],
    },
  ],
])("%s are refused, because a host would move forever", (_, options) => {
  expect(refusals(compiled(options))).toEqual(REFUSED);
});

test("a long chain of aliases that ends is taken", () => {
  const hostAliases = Array.from({ length: 500 }, (_, n) => host(`a${n}.b`, `a${n + 1}.b`));
  expect(refusals(compiled({ hostAliases }))).toEqual([null, null]);
});

test("a text that would end a line of the output is refused", () => {
  const hostAliases = [host("a.b", "c\nd")];
  expect(refusals(compiled({ hostAliases }))).toEqual(REFUSED);
  expect(refusals(compiled({ hostAliases: [host("a.b", "c d")] }))).toEqual(REFUSED);
});

test("hosts of many labels below a long name of a plan come to an end", () => {
  const long = `${"www.".repeat(2000)}x.y`;
  const options = { hostAliases: [{ ...host(long, "a.b"), below: true }] };
  const profile = { ...SAFE.profile, www: "remove" as const };
  const plan = compiled({ ...options, profile });
  const { url } = new JsEngine(plan, "a test").normalizeOne(
    `http://${"www.".repeat(1990)}p.q/`,
    "",
  );
  expect(url).toBe("http://p.q/");
});
