import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { DIRECTORY_INDEX } from "../../src/base/lists/directory-index.ts";
import { SESSION_PAIR, SESSION_PARAMS } from "../../src/base/lists/session-ids.ts";
import { TRACKING_PARAMS } from "../../src/base/lists/tracking-params.ts";
import { LONGEST_RULED } from "../../src/engine/js/settle-site-rules.ts";
import { createNormalizer, Status } from "../../src/index.ts";
import { CHOICES, PRESETS, STEP_NAMES, STEP_TEXTS } from "../../src/options/catalog.generated.ts";
import { OPTION_NAMES } from "../../src/options/options.ts";
import { STAGES } from "../../src/options/stages.generated.ts";

import { SPEC_VERSION } from "../../src/plan/profile-id.ts";
import { UNICODE_VERSION } from "../../src/url/idna/unicode-version.ts";
import { runCli } from "../shared/cli.ts";
import { codeSpans, readOptions, SPEC_TEXT, sectionOf, tableOf } from "../shared/spec-document.ts";

/** The names that links to headings have. */
const ANCHORS = [...SPEC_TEXT.matchAll(/^#{1,3} (.*)$/gm)].map(([, text]) =>
  (text as string)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-"),
);

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
    expect([...headings].sort()).toEqual([...OPTION_NAMES].sort());
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
    const applied = Object.values(STAGES).flat();
    expect(codeSpans(list)).toEqual(["allowedSchemes", ...applied, "rules", "pageAliases"]);
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

  test("has a row for each step that explain names, with what explain says of it", () => {
    const rows = tableOf("step", "what it does").rows;
    const steps = rows.map((row) => [codeSpans(row["step"] ?? "")[0], row["what it does"]]);
    expect(steps).toEqual(STEP_NAMES.map((name) => [name, STEP_TEXTS[name]]));
  });

  test("names steps as options are named", () => {
    for (const name of STEP_NAMES) expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
  });

  test("has a section for each step, which urlmill help prints as explain says", async () => {
    const n = createNormalizer({ preset: "aggressive", defaultScheme: "http" });
    const urls = [" HTTP:\\\\U@A.:080/%7e%c3|/./?b&a= #x", "a/\tb", "http://a:/", "http://a"];
    const steps = urls.flatMap((url) => n.explain(url).steps);
    const base = n.explain("x", "http://a/").steps;
    const named = [...steps, ...base].map(({ step, reference }) => {
      expect(reference.replace(/ \(.*\)$/, "")).toBe(`urlmill help ${step}`);
      return step;
    });
    expect(new Set(named).size).toBeGreaterThan(8);
    for (const name of [...STEP_NAMES, ...OPTION_NAMES]) {
      const { code, stdout, stderr } = await runCli(["help", name]);
      expect([name, code, stderr]).toEqual([name, 0, ""]);
      expect(stdout.length).toBeGreaterThan(80);
      expect(stdout).not.toContain("](");
    }
  });

  test("has the limit of rules for sites", () => {
    expect(SPEC_TEXT.replaceAll("\n", " ")).toContain(
      `more than ${LONGEST_RULED.toLocaleString("en")} bytes (64 KiB)`,
    );
  });
});

test("each section of docs/spec.md that a comment cites is there, under its number", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sections = new Set([...SPEC_TEXT.matchAll(/^## (\d)\. /gm)].map(([, number]) => number));
  const cited: string[] = [];
  for (const folder of ["assembly", "src", "test"]) {
    for (const file of readdirSync(root + folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.includes("fixtures")) continue;
      const text = readFileSync(`${root}${folder}/${file}`, "utf8");
      for (const [, numbers] of text.matchAll(/docs\/spec\.md (\d(?:(?:, | and | to )\d)*)/g)) {
        cited.push(...((numbers as string).match(/\d/g) ?? []));
      }
    }
  }
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((number) => !sections.has(number))).toEqual([]);
});

test("each link within docs/spec.md leads to a heading", () => {
  const links = [...SPEC_TEXT.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !ANCHORS.includes(link as string))).toEqual([]);
});

test("the default of maxLength and its largest value are those of docs/spec.md 2", () => {
  expect(createNormalizer().tryNormalize(`http://a/${"b".repeat(1_048_576 - 9)}`).status).toBe(0);
  expect(createNormalizer().tryNormalize(`http://a/${"b".repeat(1_048_576 - 8)}`).status).toBe(
    Status.TOO_LONG,
  );
  expect(() => createNormalizer({ maxLength: 67_108_864 })).not.toThrow();
  expect(() => createNormalizer({ maxLength: 67_108_865 })).toThrow("67108864");
});
