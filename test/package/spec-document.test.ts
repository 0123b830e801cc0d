import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LONGEST_RULED } from "../../src/engine/js/settle-site-rules.ts";
import { RULE_NAMES } from "../../src/engine/reasons.ts";
import {
  type Column,
  createNormalizer,
  type Normalizer,
  Status,
  statusName,
  type UrlmillError,
} from "../../src/index.ts";
import { DIRECTORY_INDEX } from "../../src/lists/directory-index.ts";
import { SESSION_PAIR, SESSION_PARAMS } from "../../src/lists/session-ids.ts";
import { TRACKING_PARAMS } from "../../src/lists/tracking-params.ts";
import { OPTION_NAMES } from "../../src/options/options.ts";
import { PRESETS } from "../../src/options/presets.ts";
import { CHOICES } from "../../src/plan/profile.ts";
import { SPEC_VERSION } from "../../src/plan/profile-id.ts";
import { UNICODE_VERSION } from "../../src/url/idna/unicode-table.ts";
import { describeEngines } from "../shared/engines.ts";
import {
  codeSpans,
  readExamples,
  readOptions,
  readTables,
  SPEC_TEXT,
  type SpecExample,
  type SpecTable,
} from "../shared/spec-document.ts";

const examples = readExamples(SPEC_TEXT);
const headings = [...new Set(examples.map(({ heading }) => heading))];

test("docs/spec.md has examples", () => {
  expect(examples.length).toBeGreaterThan(200);
});

describeEngines("docs/spec.md", (create) => {
  test.each(headings)('its examples under "%s" tell what happens', (heading) => {
    for (const example of examples.filter((each) => each.heading === heading)) {
      const normalizer = create(example.options);
      const [result, offset] = isError(example.output)
        ? findError(normalizer, example)
        : [findUrl(normalizer, example), null];
      expect([example.row, result]).toEqual([example.row, example.output]);
      if (example.offset !== null)
        expect([example.row, offset]).toEqual([example.row, example.offset]);
    }
  });
});

function isError(output: string): boolean {
  return Object.hasOwn(Status, output);
}

/** The URL that comes out, and comes out again. */
function findUrl(normalizer: Normalizer, { input, base }: SpecExample): string {
  const options = base === null ? {} : { base: Buffer.from(base).toString() };
  const { data } = normalizer.normalizeColumn(columnOf(input), options);
  const url = Buffer.from(data).toString();
  return normalizer.tryNormalize(url).status === Status.UNCHANGED ? url : `${url} changes again`;
}

/** The code and the offset of an error. */
function findError(normalizer: Normalizer, { input, base }: SpecExample): [string, number] {
  const { status } = normalizer.normalizeColumn(columnOf(input));
  try {
    normalizer.normalize(
      Buffer.from(input).toString(),
      base === null ? undefined : Buffer.from(base).toString(),
    );
  } catch (error) {
    const { code, offset } = error as UrlmillError;
    return base === null ? [statusName(status[0] as number), offset] : [code, offset];
  }
  return ["no error", -1];
}

function columnOf(input: Uint8Array): Column {
  return { data: input, offsets: Int32Array.of(0, input.length) };
}

describe("docs/spec.md", () => {
  test("names the versions that the package implements", () => {
    expect(SPEC_TEXT).toContain(
      `version ${SPEC_VERSION} of the contract, with Unicode ${UNICODE_VERSION}`,
    );
  });

  test("has a section for each option, and a heading for no other", () => {
    const [, options = ""] = SPEC_TEXT.split(/^## 4\. Options$/m);
    const headings = [...SPEC_TEXT.matchAll(/^### (.*`.*)$/gm)].flatMap(([, text]) =>
      codeSpans(text as string),
    );
    expect(options).not.toBe("");
    expect([...headings, "preset"].sort()).toEqual([...OPTION_NAMES].sort());
  });

  test("names each value of an option in the option's section", () => {
    for (const [name, values] of Object.entries(CHOICES)) {
      const section = sectionOf(name);
      for (const value of values) {
        if (typeof value === "string")
          expect([name, codeSpans(section)]).toEqual([name, expect.arrayContaining([value])]);
      }
    }
  });

  test("lists options in the order in which they apply", () => {
    const list = SPEC_TEXT.split("in this order:")[1]?.split("Path and query options")[0] ?? "";
    // Two apply twice; schemes and scheme, userinfo and reading it, have names in common with others.
    const isElsewhere = (name: string) => ["schemes", "scheme", "userinfo", "case"].includes(name);
    const firsts = [...new Set(codeSpans(list))].filter((name) => !isElsewhere(name));
    const applied: readonly string[] = RULE_NAMES.slice(RULE_NAMES.indexOf("hostAliases"));
    const expected = applied.filter((name) => !isElsewhere(name));
    expect(firsts).toEqual(expected);
  });

  test("has the presets as the package has them", () => {
    const rows = tableOf("preset", "options").rows;
    const presets = rows.map(({ preset = "", options = "" }) => [
      codeSpans(preset)[0],
      readOptions(codeSpans(options)[0] ?? ""),
    ]);
    expect(Object.fromEntries(presets)).toEqual(PRESETS);
  });

  test("has the errors with their numbers", () => {
    const rows = tableOf("number", "name").rows;
    const errors = rows.map(({ number, name = "" }) => [codeSpans(name)[0], Number(number)]);
    expect(Object.fromEntries(errors)).toEqual(Status);
  });

  test("has the names of the built-in lists, and no others", () => {
    const tracking = sectionOf("trackingParams").split("The names are:")[1]?.split("\n\n")[1] ?? "";
    expect(codeSpans(tracking)).toEqual(TRACKING_PARAMS.map(({ name }) => name));
    const session = codeSpans(sectionOf("sessionIds"));
    const names = SESSION_PARAMS.map(({ name }) => name.replace("*", ""));
    expect(session).toEqual(expect.arrayContaining([...names, ...SESSION_PAIR]));
    const index = sectionOf("directoryIndex").split("The default list is")[1]?.split("\n\n")[0];
    const [first, second, ...endings] = codeSpans(index ?? "");
    const files = [first, second].flatMap((name) => endings.map((ending) => `${name}.${ending}`));
    expect(files).toEqual(DIRECTORY_INDEX);
  });

  test("has the limit of rules for sites", () => {
    expect(SPEC_TEXT.replaceAll("\n", " ")).toContain(
      `more than ${LONGEST_RULED.toLocaleString("en")} bytes (64 KiB)`,
    );
  });
});

describeEngines("the table of docs/spec.md 3 of what a component allows", (create) => {
  const PLACES: Readonly<Record<string, readonly [string, string, string]>> = {
    userinfo: ["http://", "@h/", "/?#\\@:"],
    path: ["http://h/", "", "/?#\\"],
    "query of a special scheme": ["http://h/?", "", "#"],
    "query of another scheme": ["x://h/?", "", "#"],
    fragment: ["http://h/#", "", ""],
  };

  test.each(tableOf("component", "allows").rows)(
    "$component",
    ({ component = "", allows = "" }) => {
      const [before, after, delimiters] = PLACES[component] as readonly [string, string, string];
      const allowed = new Set(codeSpans(allows)[0]);
      const normalizer = create();
      for (let code = 0; code < 0x80; code++) {
        const character = String.fromCharCode(code);
        if ("\t\n\r%".includes(character) || delimiters.includes(character)) continue;
        const isAllowed = /[A-Za-z0-9]/.test(character) || allowed.has(character);
        const triplet = `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
        const written = `${before}x${isAllowed ? character : triplet}x${after}`;
        expect(normalizer.normalize(`${before}x${character}x${after}`)).toBe(written);
      }
    },
  );
});

test("each section of docs/spec.md that a comment cites is there, under its number", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sections = new Set([...SPEC_TEXT.matchAll(/^## (\d)\. /gm)].map(([, number]) => number));
  const cited: string[] = [];
  for (const folder of ["assembly", "src", "test"]) {
    for (const file of readdirSync(root + folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.includes("fixtures")) continue;
      const text = readFileSync(`${root}${folder}/${file}`, "utf8");
      for (const [, number] of text.matchAll(/docs\/spec\.md (\d)/g)) cited.push(number as string);
    }
  }
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((number) => !sections.has(number))).toEqual([]);
});

test("each link within docs/spec.md leads to a heading", () => {
  const anchors = [...SPEC_TEXT.matchAll(/^#{1,3} (.*)$/gm)].map(([, text]) =>
    (text as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const links = [...SPEC_TEXT.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !anchors.includes(link as string))).toEqual([]);
});

test("the default of maxLength and its largest value are those of docs/spec.md 2", () => {
  expect(createNormalizer().tryNormalize(`http://a/${"b".repeat(1_048_576 - 9)}`).status).toBe(0);
  expect(createNormalizer().tryNormalize(`http://a/${"b".repeat(1_048_576 - 8)}`).status).toBe(
    Status.TOO_LONG,
  );
  expect(() => createNormalizer({ maxLength: 67_108_864 })).not.toThrow();
  expect(() => createNormalizer({ maxLength: 67_108_865 })).toThrow("67108864");
});

/** The table with these columns. */
function tableOf(...columns: string[]): SpecTable {
  const found = readTables(SPEC_TEXT).find((table) =>
    columns.every((name) => table.columns.includes(name)),
  );
  if (found === undefined) throw new Error(`there is no table with ${columns.join(", ")}`);
  return found;
}

/** The text under the heading that names an option. */
function sectionOf(option: string): string {
  const section = SPEC_TEXT.split(/^(?=###? )/m).find((text) =>
    (text.split("\n")[0] as string).includes(`\`${option}\``),
  );
  if (section === undefined) throw new Error(`there is no section for ${option}`);
  return section;
}
