// At full length only: it compiles and bundles as users do.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ENTRY_POINTS } from "../../tools/entry-points.mjs";
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

// Streams of a pool are those of Node.
const WITHOUT_NODE = ENTRY_POINTS.filter(({ name }) => name !== "urlmill/pool");

test.each(sampleOf(WITHOUT_NODE, 8))(
  "the packed types of $name compile without those of Node",
  ({ name }) => {
    const program = `import * as all from "${name}"; export default all;`;
    writeFileSync(join(project, "without-node.ts"), program);
    const options = { module: "nodenext", types: [], skipLibCheck: false };
    expect(compile(["without-node.ts"], options)).toBe("");
  },
);

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

/** Programs of users, who write strict TypeScript. A line after `@ts-expect-error` must not compile. */
const PROGRAMS: Readonly<Record<string, string>> = {
  functions: `
    import { createReadStream } from "node:fs";
    import { createInterface } from "node:readline";
    import { Readable } from "node:stream";
    import { createNormalizer, dedupe, normalize, sameUrl, tryNormalize } from "urlmill";
    import { dedupe as dedupeJs } from "urlmill/js";
    import kernel from "urlmill/kernel.wasm";
    import { createPool } from "urlmill/pool";
    const one: string = normalize("http://a", { preset: "crawl" });
    const same: boolean = sameUrl(one, new URL("http://a"));
    const result = tryNormalize("x");
    const text: string = result.ok ? result.url : \`\${result.code}: \${result.message}\`;
    // @ts-expect-error: a result has a code only if it is not ok
    result.code;
    const urls: string[] = dedupe(["http://a"], { preset: "crawl" });
    const frozen: string[] = dedupe(["http://a"] as const satisfies readonly string[]);
    const ofSet: string[] = dedupe(new Set(["http://a"]));
    const objects: URL[] = dedupe([new URL("http://a")]);
    const mixed: (string | URL)[] = dedupe(["http://a", new URL("http://a")]);
    interface Link { readonly href: string; readonly text?: string }
    const links: readonly Link[] = [{ href: "http://a" }];
    const kept: Link[] = dedupe(links, { url: (link) => link.href, preset: "crawl" });
    const inJs: Link[] = dedupeJs(links, { url: ({ href }) => href });
    const entries: [string, number][] = dedupe(new Map([["http://a", 1]]), { url: ([url]) => url });
    // @ts-expect-error: one string is not a list
    dedupe("http://a");
    // @ts-expect-error: objects need the option url
    dedupe(links);
    // @ts-expect-error: the engine of urlmill/js is not chosen
    dedupeJs(["http://a"], { engine: "wasm" });
    // @ts-expect-error: urlmill/js has no kernel
    dedupeJs(["http://a"], { module: kernel });
    async function* linksLater(): AsyncGenerator<Link> { yield* links; }
    for await (const link of dedupe(linksLater(), { url: ({ href }) => href })) text.concat(link.href);
    for await (const line of dedupe(createInterface(createReadStream("urls.txt")))) line.trim();
    for await (const url of dedupe(Readable.from(urls), { preset: "crawl" })) text.concat(url);
    const n = createNormalizer();
    n.normalizeBatch(new Set(urls));
    // @ts-expect-error: one string is not a list
    n.normalizeBatch("http://a");
    // @ts-expect-error: one string is not a list
    n.fingerprintBatch("http://a");
    const pool = createPool();
    // @ts-expect-error: one string is not a list
    pool.normalizeBatch("http://a");
    // @ts-expect-error: one string is not a list
    pool.normalizeEach("http://a");
    for await (const each of pool.normalizeEach(Readable.from(urls))) each.ok ? each.url : each.code;
    export default [same, frozen, ofSet, objects, mixed, kept, inJs, entries];`,
  sets: `
    import { createReadStream } from "node:fs";
    import { createInterface } from "node:readline";
    import { Readable } from "node:stream";
    import { addUnseen } from "urlmill/crawlee";
    import { SeenSet } from "urlmill/seen";
    const seen = new SeenSet({ preset: "crawl" });
    const signal = AbortSignal.timeout(1000);
    const isNew: boolean = await seen.add("http://a", { base: "http://b", signal });
    const isThere: boolean = await seen.has(new URL("http://a"));
    const answers: Uint8Array = await seen.addBatch(createReadStream("urls.txt"), { signal });
    async function* links(): AsyncGenerator<string | URL> { yield "http://a"; }
    const { answers: held } = await seen.addBatch(links(), { hold: true });
    await seen.hasBatch(createInterface(Readable.from(["http://a"])));
    await seen.addBatch(new Set(["http://a"]));
    // @ts-expect-error: one string is not a list
    await seen.addBatch("http://a");
    // @ts-expect-error: only addBatch holds URLs
    await seen.add("http://a", { hold: true });
    await addUnseen(["http://a"], seen, async (requests: string[]) => requests.length);
    // @ts-expect-error: one string is not a list
    await addUnseen("http://a", seen, async () => 0);
    export default [isNew, isThere, answers, held];`,
  learning: `
    import { Readable } from "node:stream";
    import { learn, type LearnRecord, type Learned, writeRules } from "urlmill/learn";
    const records: readonly LearnRecord[] = [{ url: "http://a", fp: "cls:1" }];
    async function* later(): AsyncGenerator<LearnRecord> { yield* records; }
    const signal = AbortSignal.timeout(1000);
    const onProgress = ({ records, urls, ofUrls }: { records: number; urls: number; ofUrls: number }) => {
      Math.max(records, urls, ofUrls);
    };
    const learned: Learned = await learn(later(), { threads: 2, maxPageLoss: 0, signal, onProgress });
    await learn(new Set(records));
    await learn(Readable.from(records), { onProgress: (progress) => progress.urls });
    const text: string = writeRules(learned.rules);
    // @ts-expect-error: one string is not a list
    await learn("http://a");
    // @ts-expect-error: a record has a url
    await learn([{}]);
    // @ts-expect-error: rules come later
    learn(records).rules;
    export default text;`,
};

test("strict TypeScript has the types that it expects", () => {
  const files = Object.entries(PROGRAMS).map(([name, program]) => {
    writeFileSync(join(project, `${name}.ts`), program);
    return `${name}.ts`;
  });
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
