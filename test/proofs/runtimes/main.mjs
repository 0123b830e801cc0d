// Runs the same URLs on every runtime and compares one digest: `npm run proof runtimes`. It installs Node 20, 22, 24 and
// 26, Bun, Deno and miniflare (workerd) into a temporary folder; Chromium must be there. Linux on x64 only. On Node, Bun and
// Deno it also runs the command line, on two threads from a file to a file, and compares what that writes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { installNode } from "../install-node.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "urlmill-runtimes-"));
const list = join(folder, "urls.txt");
const urls = gunzipSync(readFileSync(join(root, "test/fixtures/urls-50k.txt.gz")));
const kernel = readFileSync(join(root, "dist/kernel.wasm"));

const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Installs a package into a folder of its own and returns the folder. */
function install(name) {
  const target = join(folder, name);
  const command = ["install", "--silent", "--no-save", "--prefix", target, name];
  const { status } = spawnSync("npm", command, { stdio: "inherit" });
  if (status !== 0) throw new Error(`npm cannot install ${name}`);
  return target;
}

/** Runs a command, and returns what it prints. */
function run(command, args) {
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} exits with ${status}: ${stderr}`);
  return stdout;
}

/** Returns the digests of the package and of the command line. `permissions`: the options that let it read and write. */
function inProcess(command, args, permissions = args) {
  const { runtime, results } = JSON.parse(run(command, [...args, join(here, "process.mjs"), list]));
  const [out, errors] = ["out", "errors"].map((name) => join(folder, name));
  for (const file of [out, errors]) rmSync(file, { force: true });
  const dedupe = [join(root, "dist/cli/main.js"), "dedupe", "--threads", "2"];
  run(command, [...permissions, ...dedupe, "--errors", errors, list, "-o", out]);
  const hash = createHash("sha256");
  for (const file of [out, errors]) hash.update(readFileSync(file));
  return { runtime, results, written: hash.digest("hex") };
}

/** Bundles one of the programs beside this one, as a user of esbuild would. */
async function bundle(entry, conditions) {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions,
    // The name of the kernel's file stays as it is: the runtime brings it.
    external: ["urlmill/kernel.wasm"],
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

async function inWorkerd(conditions, flags) {
  const { Miniflare } = createRequire(join(install("miniflare"), "x.js"))("miniflare");
  const miniflare = new Miniflare({
    compatibilityDate: "2025-09-01",
    compatibilityFlags: flags,
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: await bundle("worker.mjs", conditions) },
      { type: "CompiledWasm", path: "urlmill/kernel.wasm", contents: kernel },
    ],
  });
  try {
    const response = await miniflare.dispatchFetch("http://localhost/", {
      method: "POST",
      body: urls,
    });
    const { reason, results } = await response.json();
    if (!/loadKernel/.test(reason)) throw new Error(`no reason for JavaScript: ${reason}`);
    return { runtime: `workerd (${flags.join(", ") || "no flags"})`, results };
  } finally {
    await miniflare.dispose();
  }
}

async function inChromium() {
  if (CHROMIUM === undefined) throw new Error("no Chromium: install it, or set CHROMIUM");
  const page = `<!doctype html><script type="module" src="/code/page.js"></script>`;
  const files = new Map([
    ["/", ["text/html", page]],
    ["/code/page.js", ["text/javascript", await bundle("page.mjs", [])]],
    ["/kernel.wasm", ["application/wasm", kernel]],
    ["/urls.txt", ["text/plain", urls]],
  ]);
  const server = createServer(({ url }, response) => {
    const [type, body] = files.get(url) ?? [];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type ?? "text/plain" });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.waitForFunction(() => globalThis.digests !== undefined);
    const results = await tab.evaluate(() => globalThis.digests());
    return { runtime: `Chromium ${browser.version()}`, results };
  } finally {
    await browser.close();
    server.close();
  }
}

let failed = 0;
const digests = new Set();
const outputs = new Set();
try {
  writeFileSync(list, urls);
  const runs = [
    ...["20", "22", "24", "26"].map((major) => () => inProcess(installNode(major, folder), [])),
    () => inProcess(join(install("bun"), "node_modules/.bin/bun"), ["run"]),
    () =>
      inProcess(
        join(install("deno"), "node_modules/.bin/deno"),
        ["run", "--allow-read"],
        ["run", "--allow-all"],
      ),
    () => inWorkerd(["workerd", "worker"], []),
    () => inWorkerd(["workerd", "worker"], ["nodejs_compat"]),
    inChromium,
  ];
  for (const start of runs) {
    try {
      const { runtime, results, written } = await start();
      for (const { engine, digest } of results) {
        console.log(`${runtime.padEnd(26)} ${engine.padEnd(5)} ${digest}`);
        digests.add(digest);
      }
      if (written === undefined) continue;
      console.log(`${runtime.padEnd(26)} ${"files".padEnd(5)} ${written}`);
      outputs.add(written);
    } catch (error) {
      failed++;
      console.error(error);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(
  `\nDigests of URLs: ${digests.size}; of files that the command line wrote: ${outputs.size}.`,
);
process.exitCode = failed === 0 && digests.size === 1 && outputs.size === 1 ? 0 : 1;
