import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { build as vite } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack from "webpack";
import { CHROMIUM } from "../shared/chromium.ts";
import { RedisServer } from "../shared/redis-server.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = tempFolder();
/** Has the packed package and what it depends on. */
const BARE = join(folder, "bare");
/** Has its optional packages too. */
const FULL = join(folder, "full");
/** Has the runtimes that come from npm. */
const RUNTIMES = join(folder, "runtimes");
const PORT = 7390;

/** What tries each sub-path: a body of an async function that throws, or returns whether it works. */
const PROGRAMS: Readonly<Record<string, string>> = {
  urlmill: `import { createNormalizer } from "urlmill";
    const run = () => createNormalizer().normalize("HTTP://A/%7e") === "http://a/~";`,
  "urlmill/js": `import { createNormalizer } from "urlmill/js";
    const run = () => createNormalizer().normalize("HTTP://A/%7e") === "http://a/~";`,
  "urlmill/learn": `import { visibleText } from "urlmill/learn";
    const run = async () => (await visibleText("<p>a</p>b")) === "a b";`,
  "urlmill/arrow": `import { createNormalizer } from "urlmill";
    import { normalizeVector } from "urlmill/arrow";
    const run = () => { try { normalizeVector(createNormalizer(), {}); } catch (e) { return e.code === "BAD_COLUMN"; } };`,
  "urlmill/crawlee": `import { createUniqueKey } from "urlmill/crawlee";
    const run = () => createUniqueKey()("http://a/", { method: "post", payload: "b=1" }) === "POST(yeLrIaJv):http://a/";`,
  "urlmill/seen, in memory": `import { SeenSet } from "urlmill/seen";
    const run = async () => (await new SeenSet({ rules: RULES }).addBatch(["http://a/", "HTTP://A"])).join() === "1,0";`,
  "urlmill/seen, a journal": `import { SeenSet } from "urlmill/seen";
    const run = async () => { const set = await SeenSet.open(DIRECTORY); const [is] = await set.addBatch(["http://a/"]); await set.close(); return is === 1; };`,
  "urlmill/seen, disk(path)": `import { disk, SeenSet } from "urlmill/seen";
    const run = async () => { const set = await SeenSet.open(disk(DIRECTORY)); const [is] = await set.addBatch(["http://a/"]); await set.close(); return is === 1; };`,
  "urlmill/seen/lmdb": `import { SeenSet } from "urlmill/seen"; import { lmdb } from "urlmill/seen/lmdb";
    const run = async () => { const set = await SeenSet.open(lmdb(DIRECTORY)); const [is] = await set.addBatch(["http://a/"]); await set.close(); return is === 1; };`,
  "urlmill/seen/redis": `import { SeenSet } from "urlmill/seen"; import { redis } from "urlmill/seen/redis";
    const run = async () => { const set = await SeenSet.open(redis("redis://127.0.0.1:${PORT}", { name: DIRECTORY, timeoutMs: 3000 })); const [is] = await set.addBatch(["http://a/"]); await set.close(); return is === 1; };`,
  "urlmill/pool": `import { createPool } from "urlmill/pool";
    const run = async () => { const pool = createPool({ threads: 1, minBatchBytes: 0 }); try { return (await pool.normalizeBatch(["HTTP://A"])).urls[0] === "http://a/"; } finally { await pool.close(); } };`,
};
/** A file of rules, so that a set has a text to make a digest of. */
const RULES = JSON.stringify("#urlmill-rules 1\na.org\t*\tdrop sid\n");
const NAMES = Object.keys(PROGRAMS);

/** Answers "yes" where it works, and else the code of the error: one of ours, or that of Deno for a permission. */
const ANSWER = `Promise.resolve().then(run).then(
  (is) => is === true ? "yes" : "wrong",
  (e) => e?.name === "UrlmillError" ? e.code : e?.name === "NotCapable" ? "NotCapable" : "foreign: " + e?.stack)`;

let count = 0;

/** Writes the program of a sub-path to a folder and returns its file. */
function program(name: string, place: string, end: string): string {
  const file = join(place, `program-${++count}.mjs`);
  const directory = JSON.stringify(join(folder, `set-${count}`));
  writeFileSync(
    file,
    `${(PROGRAMS[name] as string).replaceAll("DIRECTORY", directory).replace("RULES", RULES)}\n${end}`,
  );
  return file;
}

const PRINT = `${ANSWER}.then((answer) => { console.log("answer " + answer); process.exit(); });`;
const KEEP = `globalThis.answer = ${ANSWER};`;

/** Runs a program and returns the answer that it prints. */
function answerOf(command: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 60_000 });
  return /^answer (.*)$/m.exec(stdout)?.[1] ?? `no answer: ${stdout}${stderr}`;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".cjs": "text/javascript",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

let server: Server;
let browser: Browser;
const redis = new RedisServer();

/** Serves the temporary folder. */
async function serve(): Promise<Server> {
  const made = createServer(({ url = "" }, response) => {
    try {
      const body = readFileSync(join(folder, url));
      response.writeHead(200, { "content-type": TYPES[extname(url)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return made;
}

function install(place: string, ...packages: readonly string[]): void {
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  const args = ["install", "--silent", "--omit=peer", "--no-audit", ...packages];
  execFileSync("npm", args, { cwd: place, stdio: "inherit" });
}

beforeAll(async () => {
  if (CHROMIUM === undefined) throw new Error("no Chromium: install it, or set CHROMIUM");
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim();
  install(BARE, join(folder, name));
  install(FULL, join(folder, name), "lmdb@3", "ioredis@6", "htmlparser2@12");
  install(RUNTIMES, "bun", "deno", "miniflare");
  await redis.start(["--port", String(PORT)]);
  server = await serve();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  server?.close();
  await redis.kill();
}, 60_000);

/** Opens a script of the temporary folder in a page, and returns the answer that it keeps. */
async function inPage(file: string): Promise<string> {
  const isModule = !file.endsWith(".cjs");
  const page = `${file}.html`;
  const address = file.slice(folder.length);
  writeFileSync(
    page,
    `<!doctype html><script${isModule ? ' type="module"' : ""} src="${address}"></script>`,
  );
  const tab = await browser.newPage();
  try {
    const { port } = server.address() as AddressInfo;
    await tab.goto(`http://127.0.0.1:${port}${page.slice(folder.length)}`);
    await tab.waitForFunction("globalThis.answer !== undefined", null, { timeout: 20_000 });
    return await tab.evaluate("globalThis.answer");
  } finally {
    await tab.close();
  }
}

async function withWebpack(entry: string, target: string, path: string): Promise<string> {
  const output = { path, filename: "program.cjs" };
  const compiler = webpack({ mode: "production", target, entry, output });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, done) => (done === undefined ? reject(error) : resolve(done)));
  });
  expect(stats.toJson({ errors: true }).errors).toEqual([]);
  return join(path, "program.cjs");
}

async function withVite(entry: string, ssr: boolean, path: string): Promise<string> {
  await vite({
    configFile: false,
    root: BARE,
    logLevel: "silent",
    base: `${path.slice(folder.length)}/`,
    ...(ssr ? { ssr: { noExternal: true } } : {}),
    build: {
      outDir: path,
      ...(ssr ? { ssr: entry } : {}),
      rollupOptions: { input: entry, output: { entryFileNames: "program.mjs" } },
    },
  });
  return join(path, "program.mjs");
}

async function withEsbuild(entry: string, platform: "node" | "browser", path: string) {
  const outfile = join(path, "program.mjs");
  await esbuild({ entryPoints: [entry], bundle: true, format: "esm", platform, outfile });
  return outfile;
}

async function withBun(entry: string, target: "node" | "browser", path: string): Promise<string> {
  const outfile = join(path, "program.mjs");
  const args = ["build", entry, `--target=${target}`, "--outfile", outfile];
  execFileSync(join(RUNTIMES, "node_modules/.bin/bun"), args, { stdio: "pipe" });
  return outfile;
}

/** Bundles a program, and returns the file to run. */
type Bundler = (entry: string, target: "node" | "browser", path: string) => Promise<string>;
const BUNDLERS: Readonly<Record<string, Bundler>> = {
  esbuild: withEsbuild,
  Bun: withBun,
  vite: (entry, target, path) => withVite(entry, target === "node", path),
  webpack: (entry, target, path) => withWebpack(entry, target === "node" ? "node20" : "web", path),
};

/** What a sub-path answers without the package that it could use. */
const WITHOUT: Readonly<Record<string, string>> = {
  "urlmill/learn": "PACKAGE_MISSING",
  "urlmill/seen/lmdb": "SEEN_FAILED",
  "urlmill/seen/redis": "SEEN_FAILED",
};
/** What sub-paths answer in browsers, which have no files, sockets and threads. */
const IN_BROWSERS: Readonly<Record<string, string>> = {
  "urlmill/learn": "PACKAGE_MISSING",
  "urlmill/seen, a journal": "PACKAGE_MISSING",
  "urlmill/seen, disk(path)": "PACKAGE_MISSING",
  "urlmill/seen/lmdb": "PACKAGE_MISSING",
  "urlmill/seen/redis": "PACKAGE_MISSING",
  "urlmill/pool": "PACKAGE_MISSING",
};

describe.each(Object.keys(BUNDLERS))("%s, without the optional packages, bundles", (bundler) => {
  const bundle = BUNDLERS[bundler] as Bundler;

  test.each(NAMES)("%s for Node", async (name) => {
    const path = join(BARE, `out-${count}`);
    const file = await bundle(program(name, BARE, PRINT), "node", path);
    const worker = join(root, "dist/pool/thread.cjs");
    copyFileSync(worker, join(path, "thread.cjs"));
    if (bundler === "vite") {
      mkdirSync(join(path, "assets"), { recursive: true });
      copyFileSync(worker, join(path, "assets/thread.cjs"));
    }
    expect(answerOf(process.execPath, [file], BARE)).toBe(WITHOUT[name] ?? "yes");
  });

  test.each(NAMES)("%s for browsers", async (name) => {
    const path = join(BARE, `out-${count}`);
    const file = await bundle(program(name, BARE, KEEP), "browser", path);
    expect(await inPage(file)).toBe(IN_BROWSERS[name] ?? "yes");
  });
});

/** Gives the answer of each runtime for a sub-path, by the heads of the table in the documents. */
const RUNTIME_ANSWERS: Readonly<Record<string, (name: string) => string | Promise<string>>> = {
  Node: (name) => answerOf(process.execPath, [program(name, FULL, PRINT)], FULL),
  Bun: (name) => inNpmRuntime("bun", ["run"], name),
  "Deno `-A`": (name) => inNpmRuntime("deno", ["run", "-A"], name),
  Deno: (name) => inNpmRuntime("deno", ["run", "--no-prompt"], name),
  workerd: inWorkerd,
  browser: async (name) => inPage(await withVite(program(name, FULL, KEEP), false, out())),
  worker: inWorker,
};

const out = (): string => join(FULL, `out-${++count}`);

function inNpmRuntime(runtime: string, args: readonly string[], name: string): string {
  const command = join(RUNTIMES, "node_modules/.bin", runtime);
  return answerOf(command, [...args, program(name, FULL, PRINT)], FULL);
}

async function inWorkerd(name: string): Promise<string> {
  const end = `export default { fetch: async () => new Response(await ${ANSWER}) };`;
  const { outputFiles } = await esbuild({
    entryPoints: [program(name, BARE, end)],
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["workerd", "worker"],
    write: false,
  });
  const { Miniflare } = createRequire(join(RUNTIMES, "x.js"))("miniflare");
  const contents = outputFiles[0]?.text;
  const modules = [{ type: "ESModule", path: "worker.mjs", contents }];
  const miniflare = new Miniflare({ compatibilityDate: "2025-09-01", modules });
  try {
    return await (await miniflare.dispatchFetch("http://localhost/")).text();
  } finally {
    await miniflare.dispose();
  }
}

/** Runs a sub-path in a worker as vite makes it without a setting: a classic script. */
async function inWorker(name: string): Promise<string> {
  const worker = program(name, FULL, `${ANSWER}.then((answer) => postMessage(answer));`);
  const page = join(FULL, `page-${count}.mjs`);
  const made = `new Worker(new URL(${JSON.stringify(worker)}, import.meta.url), { type: "module" })`;
  writeFileSync(page, `${made}.onmessage = ({ data }) => { globalThis.answer = data; };`);
  return inPage(await withVite(page, false, out()));
}

/** Reads the table of the documents: for each row its cells by their heads. */
function documented(): [string, Record<string, string>][] {
  const text = readFileSync(join(root, "docs/browsers-and-edge.md"), "utf8");
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("| import |"));
  const cells = (line: string): string[] =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const heads = cells(lines[start] as string).slice(1);
  const rows = lines.slice(start + 2, lines.indexOf("", start)).map(cells);
  return rows.map(([name = "", ...values]) => [
    name.replaceAll("`", ""),
    Object.fromEntries(heads.map((head, at) => [head, (values[at] ?? "").replaceAll("`", "")])),
  ]);
}

test.each(NAMES)("%s does on each runtime what the table says", async (name) => {
  const answers: Record<string, string> = {};
  for (const [runtime, answer] of Object.entries(RUNTIME_ANSWERS)) {
    answers[runtime] = await answer(name);
  }
  expect(answers).toEqual(Object.fromEntries(documented())[name]);
});

test("the table has a row for each sub-path of the package", () => {
  expect(documented().map(([name]) => name)).toEqual(NAMES);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const code = Object.keys(exports).filter((path) => !/\.\w+$/.test(path.slice(1)));
  const tried = NAMES.map((name) => name.split(",")[0]?.replace("urlmill", "."));
  expect(new Set(tried)).toEqual(new Set(code));
});
