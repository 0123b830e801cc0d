import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareUrls } from "../../src/cli/compare/compare.ts";
import { createNormalizer } from "../../src/index.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { sampleOf, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

interface Case {
  readonly urls: readonly [string, string];
  readonly options?: NormalizerOptions;
  /** The part that differs first, with the name of a parameter. */
  readonly part: string;
  /** The flags for all sites, as one text. */
  readonly all?: string;
  /** The rules for the site, each without it, with `: ` for the TABs; or flags for the site. */
  readonly site?: readonly string[];
}

const A = "http://a.example";

const CASES: readonly Case[] = [
  {
    urls: [`${A}/p?sid=1`, `${A}/p?sid=2`],
    part: "parameter sid",
    all: "--drop-params sid",
    site: ["a.example: *: drop sid"],
  },
  {
    // A parameter that one URL lacks goes only where it has this value.
    urls: [`${A}/p?page=1&id=7`, `${A}/p?id=7`],
    part: "parameter page",
    all: "--default-params page=1",
    site: ["a.example: *: dropif page=1"],
  },
  {
    urls: [`${A}/p?utm_source=x`, `${A}/p`],
    part: "parameter utm_source",
    all: "--tracking-params remove",
    site: ["a.example: *: drop utm_source"],
  },
  {
    urls: [`${A}/?b&a`, `${A}/?a&b`],
    part: "parameterOrder",
    all: "--sort-query name",
    site: ["a.example: *: sort"],
  },
  {
    urls: [`${A}/p?`, `${A}/p`],
    part: "emptyQuery",
    all: "--empty-query remove",
    site: ['--sites {"a.example":{"emptyQuery":"remove"}}'],
  },
  {
    urls: [`${A}/p#`, `${A}/p`],
    part: "fragment",
    all: "--fragment remove-empty",
    site: ['--sites {"a.example":{"fragment":"remove-empty"}}'],
  },
  {
    urls: [`${A}/P`, `${A}/p`],
    part: "path",
    all: "--case lower-path",
    site: ["a.example: *: lower path"],
  },
  {
    urls: [`${A}/amp/p`, `${A}/p`],
    part: "path",
    site: ["a.example: /amp/...: cut amp"],
  },
  {
    urls: [`${A}/d/index.php`, `${A}/d/`],
    part: "path",
    all: "--directory-index index.php",
    site: ["a.example: *: path /d/index.php => /d/"],
  },
  {
    urls: [`${A}/p/42-red`, `${A}/p/42-blue`],
    part: "path",
    site: ["a.example: *: path /p/<N>-* => /p/<1>"],
  },
  {
    urls: ["http://m.a.example/p", `${A}/p`],
    part: "host",
    all: "--host-aliases m.*=*",
    site: ["m.a.example: *: host m.a.example => a.example"],
  },
  {
    urls: [`${A}:8080/p`, `${A}/p`],
    part: "port",
    all: "--explicit-port remove",
    site: ["a.example:8080: *: host a.example:8080 => a.example"],
  },
  {
    urls: [`${A}/go?u=http%3A%2F%2Fb.example%2Fx`, "http://b.example/x"],
    part: "host",
    site: ["a.example: /go: unwrap u"],
  },
  {
    urls: ["http://www.a.example/p", "https://a.example/p"],
    part: "scheme",
    all: "--scheme https --www remove",
    site: ["www.a.example: *: scheme https", "www.a.example: *: host www.a.example => a.example"],
  },
  {
    // The values of options that are lists are those that the call had, and the new ones.
    urls: [`${A}/p?x=1&sid=1`, `${A}/p?x=2&sid=2`],
    options: { preset: "crawl", dropParams: ["x"], rules: "#urlmill-rules 1\n*\t*\tdrop y\n" },
    part: "parameter sid",
    all: "--drop-params x,sid",
    site: ["a.example: *: drop sid"],
  },
  {
    // Only a preset does it: five options.
    urls: ["http://www.a.example/x//y/?b=1&a=1#t", "https://a.example/x/y?a=1&b=1"],
    part: "scheme",
    all: "--preset aggressive",
    site: [
      '--sites {"www.a.example":{"www":"remove"},"a.example":{"scheme":"https","duplicateSlashes":"collapse","trailingSlash":"remove","sortQuery":"name","fragment":"remove"}}',
    ],
  },
  {
    urls: ["http://www.a.example/x/?sid=1#t", "https://a.example/x?sid=2"],
    options: { preset: "crawl" },
    part: "scheme",
    all: "--preset aggressive --drop-params sid",
  },
  { urls: ["mailto:a@a.example", "mailto:b@a.example"], part: "path" },
];

describe.each(ENGINES)("two keys (%s)", (engine) => {
  // The search is the same; only the last check of a proposal depends on the engine.
  const cases = engine === "js" ? CASES : sampleOf(CASES, 10);
  test.each(cases)("$urls: $part, $all, $site", ({ urls, options, part, all, site }) => {
    const found = compareUrls(urls, undefined, { ...options, engine });
    const { difference, forAllSites, forOneSite } = found;
    expect([difference?.part, difference?.name].join(" ").trim()).toBe(part);
    expect(forAllSites?.join(" ")).toBe(all);
    const lines = forOneSite?.rules.map((line) => line.replaceAll("\t", ": ")) ?? [];
    const flags = forOneSite === null || lines.length > 0 ? [] : [forOneSite.flags.join(" ")];
    if (site !== undefined || all === undefined) expect([...lines, ...flags]).toEqual(site ?? []);
  });
});

const PROPOSED = CASES.filter(({ all }) => all !== undefined);

test.each(ENGINES)("each proposal gives normalize one key (%s)", async (engine) => {
  const rules = join(folder, "rules.tsv");
  for (const { urls, options, all } of shareOf(PROPOSED, engine, 8)) {
    const preset = ["--engine", engine, "--preset", options?.preset ?? "safe"];
    const { stdout } = await runCli(["explain", "--json", ...preset, ...urls]);
    const { forAllSites, forOneSite } = JSON.parse(stdout.trimEnd().split("\n").at(-1) as string);
    writeFileSync(rules, ["#urlmill-rules 1", ...(forOneSite?.rules ?? [])].join("\n"));
    const ways = [forAllSites, ["--rules", rules, ...(forOneSite?.flags ?? forAllSites)]];
    for (const flags of ways) {
      const input = `${urls.join("\n")}\n`;
      const normalized = await runCli(["normalize", ...preset, ...flags], input);
      expect(new Set(normalized.stdout.trimEnd().split("\n")).size, all).toBe(1);
    }
  }
});

test("rules of many other sites are left out while rules are tried, but not of the result", () => {
  const rules = `#urlmill-rules 1\n${"h.other\t*\tdrop z\n".repeat(3)}*.example\t*\tdrop x\n`;
  const options = { rules };
  const { forOneSite } = compareUrls([`${A}/?x=1&y=1`, `${A}/?x=2&y=2`], undefined, options);
  expect(forOneSite?.rules).toEqual(["a.example\t*\tdrop y"]);
  const n = createNormalizer({ rules: rules + forOneSite?.rules.join("\n") });
  expect(n.normalize(`${A}/?x=1&y=1`)).toBe(n.normalize(`${A}/?x=2&y=2`));
});

const lastLines = async (...args: string[]): Promise<string> => {
  const { stdout } = await runCli(["explain", ...args]);
  return stdout.slice(stdout.lastIndexOf("\n\n") + 2);
};

test("explain of two URLs ends with what people can copy", async () => {
  expect(await lastLines(`${A}/p?q=it's&sid=1`, `${A}/p?q=x&sid=2`)).toBe(
    [
      "two keys: the parameter q differs: q=it%27s and q=x",
      "If they are one page, this makes them one:",
      "  for all sites: --drop-params q,sid",
      "  for a.example alone: --rules FILE, with this line at its end:",
      "a.example\t*\tdrop q,sid\n",
    ].join("\n"),
  );
  expect(await lastLines("--preset", "crawl", `${A}#x`, `${A}/`)).toBe(`one key: ${A}/\n`);
});

test("explain says which text is not a URL, and whether --default-scheme makes it one", async () => {
  const { code, stdout } = await runCli(["explain", "a.example/p", "https://a.example/p"]);
  expect(code).toBe(1);
  expect(stdout).toContain("two keys: the first text is not a URL");
  expect(stdout).toContain("  for all sites: --default-scheme https\n");
  expect(await lastLines("?", "?")).toBe("one key: both are the same text, not a URL\n");
  expect(await lastLines("?", "!")).toContain("neither text is a URL\nNo flag");
});

test("only two URLs are compared", async () => {
  const { stdout } = await runCli(["explain", "--json", `${A}/`, `${A}/`, `${A}/b`]);
  expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  expect(stdout).not.toContain("forAllSites");
});
