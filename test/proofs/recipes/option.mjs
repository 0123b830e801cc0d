// Options of the path that remove one character from its end. The first takes the next place in a plan; the second one in
// the other halves of bytes, if the first has not.
import { after, all, atEnd, before } from "./edits.mjs";

export const HEADING = "Add an option";

/** What tells whether all was done: texts of documents, the order, both engines, and plans. */
export const TESTS = [
  "test/spec",
  "test/docs/generated.test.ts",
  "test/package/spec-names.test.ts",
  "test/engine/hostile-plans.test.ts",
  "test/differential/options.test.ts",
  "test/playground/links.test.ts",
];

/** The tests of Python that a forgotten place fails. */
export const PYTHON_TESTS = ["test_option_types.py", "test_explain.py", "test_plan_bytes.py"];

/** Returns the edits that add an option, such as `trimTrailingDots`, which removes `character`. */
export function editsOf({ name, character, what, place }) {
  const anchor = name.toLowerCase();
  const constant = name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
  const code = `0x${character.charCodeAt(0).toString(16)}`;
  return {
    "docs/spec.md": all(
      before(" by turns until the path stays", `, [\`${name}\`](#${anchor})`),
      before(
        "### Parameters\n",
        `### \`${name}\`

\`keep\`, \`remove\`. Removes the ${what} at the end of the path.

| input | options | output |
|---|---|---|
| \`http://a/b${character.repeat(3)}?c${character}\` | \`${name}: "remove"\` | \`http://a/b?c${character}\` |

`,
      ),
    ),
    "src/options/catalog.ts": before(
      '  {\n    name: "keepParams",\n',
      `  {
    name: "${name}",
    step: "removes the ${what} at the end of the path",
    stages: ["pathEnd"],
    option: {
      values: ["keep", "remove"],
      place: ${place},
      text: "Removes the ${what} at the end of the path.",
      changes: "plain",
      group: "path",
      flag: { text: "the ${what} at the end of the path" },
    },
    rows: [
      {
        normalization: "${what} at the end of the path",
        set: { ${name}: "remove" },
        url: "http://a/b${character}",
        keeps: "no",
      },
    ],
  },
`,
    ),
    "src/engine/js/options/path.ts": all(
      after("  trailingSlash: setTrailingSlash,\n", `  ${name},\n`),
      atEnd(`
/** Removes the ${what} at the end of a path, if the option \`${name}\` says so. */
function ${name}(path: string, profile: LoadedProfile): string {
  let end = path.length;
  while (profile.${name} === "remove" && path[end - 1] === "${character}") end--;
  return path.slice(0, end);
}
`),
    ),
    "assembly/options/path.ts": all(
      after("  BY_TRAILING_SLASH,\n", `  BY_${constant},\n`),
      after("  TRAILING_SLASH_CHOICE,\n", `  ${constant}_CHOICE,\n`),
      before(
        "    if (out === before) return out;\n",
        `    if (choiceOf(profile, ${constant}_CHOICE) !== 0)
      out = noted(out, ${name}(start, out), BY_${constant});
`,
      ),
      atEnd(`
/** Removes the ${what} at the end of the path \`[start, end)\`. */
function ${name}(start: usize, end: usize): usize {
  while (end > start && load<u8>(end - 1) === ${code}) end--;
  return end;
}
`),
    ),
    "test/spec/order-of-options.test.ts": all(
      after('      trailingSlash: "remove",\n', `      ${name}: "remove",\n`),
      after("alias.example:8080/X", character),
    ),
    "test/spec/path-options.test.ts": atEnd(`
describeEngines("${name}", (create) => {
  test("removes the ${what} at the end of the path, and no others", () => {
    const n = create({ ${name}: "remove" });
    expect(n.normalize("http://a/${character}b${character}${character}")).toBe("http://a/${character}b");
    expect(n.normalize("http://a/b?c${character}")).toBe("http://a/b?c${character}");
    expect(create().normalize("http://a/b${character}c${character}")).toBe("http://a/b${character}c${character}");
  });
});
`),
    "CHANGELOG.md": before(
      "### Keys change\n",
      `- \`${name}\` removes ${what} at the end of the path.\n\n`,
    ),
  };
}

/** The options that are added. */
export const OPTIONS = [
  { name: "trimTrailingDots", character: ".", what: "dots" },
  { name: "trimTrailingCommas", character: ",", what: "commas" },
];
