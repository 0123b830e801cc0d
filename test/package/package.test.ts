import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, test } from "vitest";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { PRESETS } from "../../src/options/catalog.generated.ts";
import { CATALOG } from "../../src/options/catalog.ts";
import { LARGEST_PACKAGE } from "../../tools/package-size.mjs";
import { testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

testAtLength("publint has nothing to say", async () => {
  const { messages, pkg } = await publint({ pkgDir: root, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual(
    [],
  );
});

test("every file the package names is there", () => {
  const filesOf = (target: unknown): string[] =>
    typeof target === "string" ? [target] : Object.values(target as object).flatMap(filesOf);
  const { exports, imports, bin, main, man, types } = manifest;
  for (const target of filesOf({ exports, imports, bin, main, man, types })) {
    expect(existsSync(`${root}/${target}`), String(target)).toBe(true);
  }
});

test("the package unpacks to no more than a release allows", () => {
  const bytes = ownBytes();
  expect(bytes).toBeGreaterThan(500_000);
  expect(bytes).toBeLessThanOrEqual(LARGEST_PACKAGE);
});

test("the README says how many packages are installed, and within 5 % how large they are", () => {
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const [, packages, megabytes] =
    /`npm install urlmill` brings (\d+) packages of ([\d.]+) MB/.exec(readme) ?? [];
  const others = Object.keys(manifest.dependencies).flatMap(withDependencies);
  const bytes = others.reduce((sum, name) => sum + sizeOf(`${root}/node_modules/${name}`), 0);
  expect(Number(packages)).toBe(1 + others.length);
  expect(Math.abs((ownBytes() + bytes) / 1e6 / Number(megabytes) - 1)).toBeLessThan(0.05);
});

/** Returns the bytes of the files in the package. `dist/kernel-scalar.wasm` is part of a release, not of the package. */
function ownBytes(): number {
  const files = (manifest.files as string[]).filter((name) => !name.startsWith("!"));
  const named = ["package.json", "README.md", "LICENSE", ...files];
  const isLeftOut = (name: string): boolean => name.startsWith("kernel-scalar.wasm");
  const leftOut = readdirSync(`${root}/dist`).filter(isLeftOut);
  expect(leftOut.length).toBe(2);
  expect(manifest.files).toContain("!dist/kernel-scalar.wasm*");
  const bytesOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + sizeOf(`${root}/${name}`), 0);
  return bytesOf(named) - bytesOf(leftOut.map((name) => `dist/${name}`));
}

/** Returns the bytes of a file, or of all files in a folder. */
function sizeOf(path: string): number {
  return statSync(path).isFile()
    ? statSync(path).size
    : readdirSync(path).reduce((sum, name) => sum + sizeOf(`${path}/${name}`), 0);
}

/** Returns a package and those that npm installs with it on this system. */
function withDependencies(name: string): string[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(`${root}/node_modules/${name}/package.json`, "utf8"),
  );
  const others = Object.keys({ ...dependencies, ...optionalDependencies });
  const installed = others.filter((each) => existsSync(`${root}/node_modules/${each}`));
  return [name, ...installed.flatMap(withDependencies)];
}

test("workflows name what others wrote by the hash of its commit", () => {
  const workflows = `${root}/.github/workflows`;
  const used = readdirSync(workflows).flatMap(
    (name) => readFileSync(`${workflows}/${name}`, "utf8").match(/uses: (?!\.\/).*/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((line) => !/@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([]);
});

test("the packages have the licences of what they contain", () => {
  const notice = readFileSync(`${root}/NOTICE`, "utf8");
  expect(notice).toContain("UNICODE LICENSE V3");
  expect(manifest.files).toContain("NOTICE");
  expect(readFileSync(`${root}/python/NOTICE`, "utf8")).toBe(notice);
});

test("a stack trace of the package names functions", () => {
  const script = `
    import { createNormalizer } from "urlmill";
    try { createNormalizer({ rules: "x" }); } catch (error) { console.log(error.stack); }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout).toMatch(/parseRules .*at compileOptions .*at createNormalizer /s);
});

test("a stack trace of the package names private methods", () => {
  const script = `
    import { createNormalizer } from "urlmill/js";
    const n = createNormalizer();
    const { charCodeAt } = String.prototype;
    String.prototype.charCodeAt = function (at) {
      if (at === 7) throw new Error("fault");
      return charCodeAt.call(this, at);
    };
    try { n.normalizeBatch(["HTTP://A/%7e"]); } catch (error) { console.log(error.stack); }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout).toMatch(/at #[a-z][A-Za-z]{3,} .*at JsEngine\.normalizeStrings /s);
});

test("the package can be imported by its name, and its kernel read", () => {
  const script = `
    import { createNormalizer } from "urlmill";
    import { createNormalizer as createJs } from "urlmill/js";
    import { readdirSync, readFileSync } from "node:fs";
    import { fileURLToPath } from "node:url";
    const kernel = readFileSync(fileURLToPath(import.meta.resolve("urlmill/kernel.wasm")));
    const one = createNormalizer().normalize("HTTP://A/%7e");
    console.log(JSON.stringify([one, createJs().normalize("HTTP://A"), WebAssembly.validate(kernel)]));`;
  const result = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect(result.stderr).toBe("");
  expect(JSON.parse(result.stdout)).toEqual(["http://a/~", "http://a/", true]);
});

test("nothing is installed with the package but what it needs to run", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["piscina"]);
  for (const version of Object.values(manifest.devDependencies)) expect(version).toMatch(/^\d/);
});

test("no other package is loaded before a thread is needed", async () => {
  const folder = tempFolder();
  const own = join(folder, "node_modules/urlmill");
  mkdirSync(own, { recursive: true });
  for (const name of ["package.json", "dist"])
    cpSync(join(root, name), join(own, name), { recursive: true });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const script = `
    import { dedupe } from "urlmill";
    import { learn } from "urlmill/learn";
    import { createPool } from "urlmill/pool";
    import { SeenSet } from "urlmill/seen";
    const seen = await SeenSet.open("crawl.seen");
    console.log(dedupe(["http://a", "HTTP://A"]), await seen.add("http://a"), (await learn([])).rules);
    await seen.close();
    const pool = createPool({ threads: 2 });
    console.log((await pool.normalizeBatch(["HTTP://A"])).urls);
    const missing = createPool({ threads: 2, minBatchBytes: 0 }).normalizeBatch(["HTTP://A"]);
    await missing.catch((error) => console.log(/Cannot find package 'piscina'/.test(error.message)));`;
  const { stdout } = run("--input-type=module", "-e", script);
  expect(stdout).toBe("[ 'http://a' ] true []\n[ 'http://a/' ]\ntrue\n");
  writeFileSync(join(folder, "urls.txt"), "http://a\nHTTP://A\n");
  const dedupe = run(join(own, "dist/cli/main.js"), "dedupe", "--seen", "cli.seen", "urls.txt");
  expect([dedupe.stdout, dedupe.stderr]).toEqual(["http://a\n", ""]);
});

test("urlmill/arrow imports nothing of apache-arrow: it takes the classes of the caller's", () => {
  const source = readFileSync(`${root}/dist/arrow/index.js`, "utf8");
  const imported = [...source.matchAll(/\b(?:from|import)\s*"([^"]+)"/g)].map(([, name]) => name);
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => !name?.startsWith("."))).toEqual([]);
});

test("urlmill/js runs where there is no WebAssembly", () => {
  const script = `
    delete globalThis.WebAssembly;
    const { createNormalizer } = await import("urlmill/js");
    const n = createNormalizer({ hostAliases: { "m.a": "a" } });
    console.log(n.normalize("x", "HTTP://m.a/%7e"), n.explain("HTTP://B\u00fccher.de").url);`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout).toBe("http://a/x http://xn--bcher-kva.de/\n");
});

test("the table of docs/options.md tells what happens", () => {
  const text = readFileSync(`${root}/docs/options.md`, "utf8");
  const rows = [
    ...text.matchAll(
      /^\| ([^|]+) \| (?:`([^`]+)`)? ?\| (?:`([^`]+)`)? ?\| `(.+?)` → `(.+?)` \| ([^|]+) \|/gm,
    ),
  ];
  expect(rows.length).toBe(CATALOG.flatMap((entry) => entry.rows ?? []).length);
  for (const [, name, option, flag, input, output, presets] of rows) {
    const options = new Function(`return { ${option ?? ""} }`)() as NormalizerOptions;
    expect([name, createNormalizer(options).normalize(input as string)]).toEqual([name, output]);
    for (const [optionName, value] of Object.entries(options)) {
      const kebab = optionName.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(flag).toContain(`--${kebab} `);
      const setBy = Object.entries<NormalizerOptions>(PRESETS)
        .filter(([, preset]) => sameValue(preset[optionName as keyof NormalizerOptions], value))
        .map(([preset]) => preset);
      const named = (presets as string).split(", ").filter((preset) => preset !== "none");
      expect([name, named]).toEqual([name, setBy]);
    }
  }
});

test("a shell reads the flags of docs/options.md as they are", () => {
  const text = readFileSync(`${root}/docs/options.md`, "utf8");
  const flags = [...text.matchAll(/`(--[^`]+)`/g)].map(([, flag]) => flag as string);
  expect(flags.length).toBeGreaterThan(50);
  const unquoted = flags.map((flag) => flag.replaceAll(/'[^']*'/g, ""));
  expect(unquoted.filter((flag) => /[*?[\]{}~$&;|<>()"\\]/.test(flag))).toEqual([]);
});

function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
