import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHOICES, PRESETS } from "../../src/options/catalog.generated.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

function writeConfig(name: string, options: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(options));
  return file;
}

interface Seed {
  readonly input: string;
  readonly options: object;
  readonly expected: string;
}

describe.each(sampleOf(ENGINES, 2))("urlmill normalize --config (%s)", (engine) => {
  test("gives the examples of the seeds", async () => {
    const byOptions = new Map<string, Seed[]>();
    for (const seed of readJsonFixture<{ cases: Seed[] }>("seeds.json").cases) {
      const key = JSON.stringify(seed.options);
      byOptions.set(key, [...(byOptions.get(key) ?? []), seed]);
    }
    for (const [key, seeds] of sampleOf([...byOptions], 6)) {
      const config = writeConfig("seed.json", JSON.parse(key));
      const input = seeds.map((seed) => `${seed.input}\n`).join("");
      const { stdout } = await runCli(["normalize", "--engine", engine, "--config", config], input);
      expect(stdout).toBe(seeds.map(({ expected }) => `${expected}\n`).join(""));
    }
  });
});

const flags = (args: string[], input: string) => runCli(["normalize", ...args], input);

test.each([
  [["--preset", "crawl"], "http://a/?b&a#f", "http://a/?a&b"],
  [["--www", "add", "--scheme", "https"], "http://a.b/", "https://www.a.b/"],
  [["--keep-params", "a,b", "--keep-params", "c"], "http://a/?a&x&c&b", "http://a/?a&c&b"],
  [["--drop-params", "a, x*"], "http://a/?a&xy&b", "http://a/?b"],
  [
    ["--default-params", "a=1", "--default-params", "b=x=y"],
    "http://a/?a=1&b=x=y&c",
    "http://a/?c",
  ],
  [["--directory-index", "true"], "http://a/index.php", "http://a/"],
  [["--directory-index", "x,y"], "http://a/y", "http://a/"],
  [["--www", "remove", "--www-digits", "true"], "http://www2.a.b/", "http://a.b/"],
  [["--host-aliases", "*.a.b=c.d"], "http://x.a.b/", "http://c.d/"],
  [["--drop-params", "*_id", "--param-case", "ignore"], "http://a/?X_ID=1&y", "http://a/?y"],
  [["--host-aliases", "1.2.3.4=a.b"], "http://1.2.3.4/", "http://a.b/"],
  [["--sites", '{"*.a.b":{"fragment":"remove"}}'], "http://x.a.b/#f", "http://x.a.b/"],
  [["--form", "surt"], "http://a.b/c", "b,a)/c"],
  [
    ["--unicode-hosts"],
    "http://xn--zca.xn--a/%C3%BC",
    Buffer.from("http://ß.xn--a/%C3%BC").toString("latin1"),
  ],
])("urlmill normalize with %j gives the URL of the table", async (args, input, expected) => {
  expect((await flags(args, `${input}\n`)).stdout).toBe(`${expected}\n`);
});

test("every choice is a flag with the option's values", async () => {
  const all = Object.entries(CHOICES).flatMap(([name, values]) => [
    `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(values.at(-1)),
  ]);
  expect(await flags(all, "http://a/\n")).toMatchObject({ code: 0, stderr: "" });
  const wrong = await flags(["--sort-query", "value"], "");
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'urlmill: option sortQuery cannot be "value": expected keep, name, name-value\n',
  });
});

test("flags win over the configuration file, which may name its schema", async () => {
  const config = writeConfig("c.json", { $schema: "x", fragment: "remove", www: "remove" });
  const { stdout } = await flags(["--config", config, "--fragment", "keep"], "http://www.a.b/#f\n");
  expect(stdout).toBe("http://a.b/#f\n");
});

test("a file that is not a configuration is refused by name", async () => {
  const broken = join(folder, "broken.json");
  writeFileSync(broken, "{");
  expect((await flags(["--config", broken], "")).stderr).toMatch(/broken\.json is not JSON/);
  expect((await flags(["--config", writeConfig("l.json", [])], "")).stderr).toMatch(
    /is not an object/,
  );
  const unknown = writeConfig("u.json", { wwww: 1 });
  const stderr = `urlmill: ${unknown}: there is no option "wwww"; did you mean www?\n`;
  for (const command of ["normalize", "plan", "explain"]) {
    const operands = command === "explain" ? ["http://a/"] : [];
    expect(await runCli([command, "--config", unknown, ...operands])).toMatchObject({
      code: 2,
      stderr,
    });
  }
});

test.each([
  ["--rules", "#urlmill-rules 1\nx\n", "line 2 of the rules"],
  ["--page-aliases", "#urlmill-aliases 1\nx\n", "line 2 of the aliases"],
])("a wrong line of %s names the file", async (flag, text, line) => {
  const file = join(folder, "wrong.tsv");
  writeFileSync(file, text);
  const { code, stderr } = await flags([flag, file], "");
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file}: ${line}`),
  });
});

test("--rules reads a file of rules for sites, --accept takes those of weaker evidence too", async () => {
  const rules = join(folder, "rules.tsv");
  const lines = ["#urlmill-rules 1", "a.b\t*\tdrop x", "a.b\t*\tdrop y\tsize n=9 ok=9 lb=.9"];
  writeFileSync(rules, lines.join("\n"));
  const urls = "http://A.b/?x&y&z\nhttp://b/?x\n";
  const { stdout } = await flags(["--rules", rules], urls);
  expect(stdout).toBe("http://a.b/?y&z\nhttp://b/?x\n");
  const accepted = await flags(["--rules", rules, "--accept", "size"], urls);
  expect(accepted.stdout).toBe("http://a.b/?z\nhttp://b/?x\n");
  const config = writeConfig("rules.json", { rules: lines.join("\n"), accept: "size" });
  expect((await flags(["--config", config], urls)).stdout).toBe(accepted.stdout);
  const explained = await runCli(["explain", "--rules", rules, "http://a.b/?x&z"]);
  expect(explained.stdout).toContain("a.b\t*\tdrop x");
  writeFileSync(rules, "#urlmill-rules 1\na.b\t*\tjump");
  const bad = await flags(["--rules", rules], urls);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain("line 2 of the rules");
  expect((await flags(["--accept", "declared"], urls)).code).toBe(2);
});

test("presets prints configuration files", async () => {
  expect(JSON.parse((await runCli(["presets"])).stdout)).toEqual(PRESETS);
  const { stdout } = await runCli(["presets", "aggressive"]);
  const file = join(folder, "aggressive.json");
  writeFileSync(file, stdout);
  const url = "http://www.a.b//index.html?b&a#x\n";
  const byPreset = await flags(["--preset", "aggressive"], url);
  expect((await flags(["--config", file], url)).stdout).toBe(byPreset.stdout);
  expect((await runCli(["presets", "wild"])).code).toBe(2);
});

test("schema describes every option", async () => {
  const schema = JSON.parse((await runCli(["schema"])).stdout);
  for (const name of [
    ...Object.keys(CHOICES),
    ...["sites", "keepParams", "hostAliases", "rules", "pageAliases", "accept"],
  ]) {
    expect(schema.properties).toHaveProperty(name);
  }
  const file = new URL("../../dist/config.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(schema);
});

test("schema says of each option what it does, and what presets set", async () => {
  const { properties, $defs } = JSON.parse((await runCli(["schema"])).stdout);
  const { $schema, ...options } = properties;
  for (const [name, { description }] of Object.entries<{ description: string }>(options)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/^[a-z].{10,}[^.]$/)]);
  }
  expect(options.sortQuery.default).toBe("keep");
  expect(options.sites.additionalProperties.properties.sortQuery).not.toHaveProperty("default");
  for (const preset of options.preset.enum) {
    const { stdout } = await runCli(["presets", preset]);
    expect($defs[preset].description).toMatch(/^[a-z].{10,}[^.]$/);
    expect($defs[preset].default).toEqual(JSON.parse(stdout));
  }
});

test("dedupe --map lists what was merged, --stats what each rule did", async () => {
  const map = join(folder, "map.tsv");
  const input = "http://a/?utm_id=1\nhttp://a/\nhttp://A/#x\nhttp://b/?b&a\n";
  const result = await runCli(["dedupe", "--preset", "crawl", "--map", map, "--stats"], input);
  expect(result.stdout).toBe("http://a/?utm_id=1\nhttp://b/?b&a\n");
  expect(readFileSync(map, "utf8")).toBe("http://a/\thttp://a/\nhttp://a/\thttp://A/#x\n");
  expect(JSON.parse(result.stderr)).toMatchObject({
    duplicates: 2,
    changesByStep: { trackingParams: 1, hostCase: 1, fragment: 1, sortQuery: 1 },
    profileId: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test("explain shows each step, or the place of an error", async () => {
  const { stdout, code } = await runCli([
    "explain",
    "--preset",
    "crawl",
    "HTTP://a/#f",
    "http://a b/",
    "http://a/",
  ]);
  expect(stdout).toBe(`HTTP://a/#f
  schemeCase  http://a/#f
              writes the scheme in lower case: urlmill help schemeCase
              (RFC 3986 6.2.2.1)
  fragment    http://a/
              removes the fragment or a part of it: urlmill help fragment
http://a/

http://a b/
        ^
BAD_HOST: the host is missing or holds a character no host may have, at byte 8

http://a/
  is in normal form

`);
  expect(code).toBe(1);
  const json = await runCli(["explain", "--json", "http://A/"]);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    input: "http://A/",
    url: "http://a/",
    error: null,
  });
  expect((await runCli(["explain"])).code).toBe(2);
});

test("explain says which rule an exception keeps from a URL", async () => {
  const rules = join(folder, "exceptions.tsv");
  writeFileSync(rules, "#urlmill-rules 1\na.b\t*\tdrop x\n\tnot\t/p\n");
  const { stdout } = await runCli(["explain", "--rules", rules, "http://a.b/p?x"]);
  expect(stdout).toContain("not done: a.b\t*\tdrop x");
  expect(stdout).toContain("it would make /p, which is one of its exceptions");
});

test("rules that are not applied are counted, with the flag that applies them", async () => {
  const file = join(folder, "proposals.tsv");
  const rule = "a.b\t*\tdrop x\tpattern n=9 ok=9 lb=.7";
  writeFileSync(file, `#urlmill-rules 1\n${rule}\na.b\t*\tdrop y\n`);
  const args = ["--rules", file];
  const said =
    "1 of 2 rules is not applied: the evidence is weaker than fetched; --accept pattern applies all";
  for (const command of ["normalize", "dedupe"]) {
    const { code, stderr } = await runCli([command, ...args], "http://a.b/?y\n");
    expect([code, stderr]).toEqual([0, `urlmill: ${said}\n`]);
    const accepted = await runCli([command, ...args, "--accept", "pattern"], "http://a.b/?y\n");
    expect([accepted.code, accepted.stderr]).toEqual([0, ""]);
  }
});
