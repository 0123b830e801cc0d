import { expect, test } from "vitest";
import { exportCleanParam, importCleanParam, importNutchRules } from "../../src/exchange/index.ts";
import { parseRule } from "../../src/site-rules/index.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";

// What is quadratic takes minutes, so it ends at the time limit of a test.

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const regex = (pattern: string, substitution: string): string =>
  `<regex><pattern>${escaped(pattern)}</pattern><substitution>${escaped(substitution)}</substitution></regex>`;
const fileOf = (...regexes: string[]): string =>
  `<regex-normalize>\n${regexes.join("\n")}\n</regex-normalize>`;
const TAIL = "(\\?|&|#|$)";

test("session names that are made of many parts are left out with the reason", () => {
  const pattern = `(;?(${"a|".repeat(30_000)}a)?(${"b|".repeat(30_000)}b)=.*?)${TAIL}`;
  expect(importNutchRules(fileOf(regex(pattern, "$4")))).toEqual({
    rules: [],
    ignored: [
      {
        line: 2,
        pattern,
        reason: "it has more than 1000 names of parameters, the most that are listed",
      },
    ],
  });
});

test.each(
  sampleOf(
    [
      `[?&]${"a-".repeat(300_000)}`,
      `([?&])${"a".repeat(300_000)}=[^&]*+`,
      `${"(".repeat(300_000)}sid)=.*?)${TAIL}`,
      `(;?\\b_?(${"a|".repeat(300_000)})?(${"b|".repeat(300_000)}=.*?)${TAIL}`,
      `(;?\\b_?(sid)=.*?)${TAIL.repeat(300_000)}`,
      "(a+)+$",
    ],
    3,
  ),
)(
  "a pattern that is almost one of those read, or takes long to match, is left out at once",
  (pattern) => {
    const { rules, ignored } = importNutchRules(fileOf(regex(pattern, "")));
    expect(rules).toEqual([]);
    expect(ignored).toMatchObject([{ line: 2, pattern }]);
  },
);

test.each(sampleOf(["<!--", "<regex><pattern><![CDATA[", "<!DOCTYPE ["], 2))(
  "a file of many %s, which hide its end, is refused at once",
  (part) => {
    const text = `<regex-normalize>${part.repeat(300_000)}</regex-normalize>`;
    expect(() => importNutchRules(text)).toThrow("has an element <regex-normalize>");
  },
);

test.each(
  sampleOf(
    [
      ["<regex-normalize>", "it is not a <regex>"],
      ["<regex>", "it lacks a pattern or a substitution"],
      ["<regex><pattern>", "it lacks a pattern or a substitution"],
      ["</regex>", "it is not a <regex>"],
      ["<a b='", null],
      ["<", "it is not a <regex>"],
    ],
    3,
  ),
)("a file of many %s is read at once", (part, reason) => {
  const text = `<regex-normalize>${part.repeat(300_000)}`;
  expect(() => importNutchRules(text)).toThrow("has an element <regex-normalize>");
  expect(importNutchRules(`${text}</regex-normalize>`)).toEqual({
    rules: [],
    ignored: reason === null ? [] : [{ line: 1, pattern: "", reason }],
  });
});

test("comments, CDATA and references in a file are read as XML has them", () => {
  const xml = `<?xml version="1.0"?>
<!DOCTYPE regex-normalize [ <!ENTITY x "<regex>"> ]>
<!-- <regex-normalize> -->
<regex-normalize><!-- <regex><pattern>a</pattern> -->
<regex><!-- <pattern>no</pattern> --><pattern>[?&#38;]<!-- - -->a=[^&amp;]*</pattern><substitution> <![CDATA[]]> </substitution></regex>
<regex><pattern><![CDATA[;<regex>;]]></pattern><substitution>;</substitution></regex>
<regex><pattern><![CDATA[[?&]b=[^&]*]]></pattern><substitution/></regex>
<regex/><regex><pattern>a<b/></pattern><substitution/></regex>
</regex-normalize>`;
  const { rules, ignored } = importNutchRules(xml);
  expect(rules.length).toBe(2);
  expect(ignored.map(({ line, pattern }) => [line, pattern])).toEqual([
    [6, ";<regex>;"],
    [8, ""],
    [8, ""],
  ]);
});

testAtLength("a long robots.txt is read, in code and on the command line", async () => {
  const text = Array.from({ length: 130_000 }, (_, row) => `Clean-param: p${row} /\n`).join("");
  expect(importCleanParam(text, "a.org").rules.length).toBe(130_000);
  const args = ["learn", "import", "--from", "clean-param", "--site", "a.org"];
  const { code, stdout } = await runCli(args, text);
  expect([code, stdout.split("\n").length]).toEqual([0, 130_002]);
});

test("many rules of a site are written as Clean-param at once, each line once", () => {
  const count = atLength(4_000, 120_000);
  const rules = Array.from({ length: count }, (_, row) => parseRule(`a.org\t/p${row}/...\tdrop x`));
  const [file] = exportCleanParam([...rules, ...rules.slice(0, 10)]).files;
  expect(file?.robotsTxt.split("\n").length).toBe(count + 2);
});
