import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { codeBlocks } from "../shared/code-blocks.ts";
import { sampleOf } from "../shared/length.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A project that has installed the package and what its documents name. */
const project = join(root, "build/typed");
const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const subPaths = Object.keys(exports).filter((path) => !path.endsWith(".json"));

/** Packages that the project has, by the name under which it installs them. */
const INSTALLED: Readonly<Record<string, string>> = {
  "@types/node": "@types/node",
  "undici-types": "undici-types",
  "apache-arrow": "apache-arrow",
  crawlee: "@crawlee/cheerio",
  ioredis: "ioredis",
  lmdb: "lmdb",
};

beforeAll(() => {
  rmSync(project, { recursive: true, force: true });
  const own = join(project, "node_modules/urlmill");
  mkdirSync(own, { recursive: true });
  cpSync(join(root, "package.json"), join(own, "package.json"));
  cpSync(join(root, "dist"), join(own, "dist"), { recursive: true });
  for (const [name, target] of Object.entries(INSTALLED)) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", target), link);
  }
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
});

/** Compiles files of the project strictly, and returns the compiler's messages. */
function compile(files: readonly string[], options: object): string {
  const common = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: "es2022",
    types: ["node"],
  };
  const config = join(project, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...common, ...options }, files }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" }).stdout;
}

const MODULES = [
  { module: "nodenext" },
  { module: "node16" },
  { module: "preserve", moduleResolution: "bundler" },
];

test.each(sampleOf(MODULES, 3))("the packed types of every sub-path compile with %j", (options) => {
  const imports = subPaths.map((path, at) =>
    path.endsWith(".cjs")
      ? `import m${at} from "urlmill${path.slice(1)}";`
      : `import * as m${at} from "urlmill${path.slice(1)}";`,
  );
  const uses = `export default [${imports.map((_, at) => `m${at}`).join(", ")}];`;
  writeFileSync(join(project, "sub-paths.ts"), [...imports, uses].join("\n"));
  expect(compile(["sub-paths.ts"], { ...options, skipLibCheck: false })).toBe("");
});

test("every block of JavaScript in the documents is strict TypeScript", async () => {
  const blocks = codeBlocks().filter(
    ({ place, language }) =>
      // Signatures of docs/api are no programs.
      language === "js" || (language === "ts" && !place.startsWith("docs/api/")),
  );
  const files = blocks.map(({ place, lines }) => {
    const file = `${place.replaceAll(/\W/g, "-")}.ts`;
    // Examples of doc comments use what the package exports without an import, and a normalizer `n`.
    const head = place.startsWith("docs/api/") ? ['import "./globals.ts";'] : ["export {};"];
    writeFileSync(join(project, file), [...head, ...lines.flatMap(allowed)].join("\n"));
    return file;
  });
  writeFileSync(join(project, "globals.ts"), await globals());
  expect(files.length).toBeGreaterThan(50);
  expect(compile(files, { module: "nodenext", skipLibCheck: true })).toBe("");
});

/** Returns a line of an example. A line that shows an error may have wrong types. */
function allowed(line: string): string[] {
  return /\/\/ throws /.test(line) ? ["// @ts-ignore", line] : [line];
}

/** Returns a module that declares everything that the package exports, and `n`, as globals. */
async function globals(): Promise<string> {
  const owners = new Map<string, string>();
  for (const path of subPaths.filter((name) => exports[name].default.endsWith(".js"))) {
    const exported = Object.keys(await import(join(root, exports[path].default)));
    for (const name of exported) {
      if (!owners.has(name)) owners.set(name, `urlmill${path.slice(1)}`);
    }
  }
  const declared = [...owners].map(
    ([name, path]) => `const ${name}: typeof import("${path}").${name};`,
  );
  const n = 'const n: import("urlmill").Normalizer;';
  return ["export {};", "declare global {", n, ...declared, "}"].join("\n");
}
