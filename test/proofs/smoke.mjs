// Installs a tarball of the package in an empty folder, and tries there what depends on the system: `npm run proof smoke`
//
//   -- TARBALL    the package; without it, one is packed
//   -- --no-lmdb  where lmdb has no prebuilt file
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

/** SHA-256 of what `dedupe --preset crawl` writes of the bundled list, on every system. It changes with SPEC_VERSION. */
const DIGEST = "c52330aaa4a2d551fefddfccee29388c74ead309c77f654b8394fc0cfe9fbf14";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { "no-lmdb": { type: "boolean", default: false } },
  allowPositionals: true,
});
const isWindows = process.platform === "win32";
const folder = mkdtempSync(join(tmpdir(), "urlmill-smoke-"));
const file = (name) => join(folder, name);
const failures = [];

/** npm is a script of Node on every system, and a batch file on Windows, which takes no arguments safely. */
function npm(args, cwd) {
  const script = process.env.npm_execpath;
  return script === undefined
    ? execFileSync("npm", args, { cwd, encoding: "utf8", shell: isWindows })
    : execFileSync(process.execPath, [script, ...args], { cwd, encoding: "utf8" });
}

function packed() {
  npm(["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], root);
  return file(readdirSync(folder).find((name) => name.endsWith(".tgz")));
}

const main = file("node_modules/urlmill/dist/cli/main.js");
function urlmill(args, input = "") {
  const run = { cwd: folder, input, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], run);
  return { status, stdout, stderr };
}

/** Tries one thing, says how it went, and goes on. */
async function check(what, holds) {
  try {
    const answer = await holds();
    console.log(`${what}: ${typeof answer === "string" ? answer : "ok"}`);
  } catch (error) {
    failures.push(what);
    console.log(`${what}: FAILED: ${error.message}`);
  }
}

function equal(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

async function ofPackage(entry) {
  const { exports } = JSON.parse(readFileSync(file("node_modules/urlmill/package.json"), "utf8"));
  return import(pathToFileURL(join(folder, "node_modules/urlmill", exports[entry].default)).href);
}

try {
  const tarball = positionals[0] === undefined ? packed() : resolve(positionals[0]);
  writeFileSync(file("package.json"), '{"private":true,"type":"module"}');
  const lmdb = values["no-lmdb"] ? [] : ["lmdb@3.5"];
  npm(["install", "--silent", "--no-audit", "--no-fund", tarball, ...lmdb], folder);
  writeFileSync(
    file("urls.txt"),
    gunzipSync(readFileSync(join(root, "test/fixtures/urls-50k.txt.gz"))),
  );

  await check("version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    equal(urlmill(["--version"]).stdout.trim().split(" ").includes(version), true);
  });
  await check("both engines", async () => {
    const { createNormalizer } = await ofPackage(".");
    for (const engine of ["wasm", "js"]) {
      const n = createNormalizer({ preset: "crawl", engine });
      equal(
        n.normalize("HTTP://B\u00fccher.de:80/a/../b?y=2&x=1#c"),
        "http://xn--bcher-kva.de/b?x=1&y=2",
      );
    }
  });
  await check("a pool", async () => {
    const { createPool } = await ofPackage("./pool");
    const pool = createPool({ threads: 2, minBatchBytes: 0 });
    const { urls } = await pool.normalizeBatch(["HTTP://A", "http://b/#c"]);
    await pool.close();
    equal(urls, ["http://a/", "http://b/#c"]);
  });
  await check("dedupe of 50,000 URLs", () => {
    for (const more of [
      ["--threads", "1"],
      ["--threads", "2"],
      ["--engine", "js"],
    ]) {
      const args = ["dedupe", "--preset", "crawl", "urls.txt", "-o", "unique.txt", "-q", ...more];
      equal(urlmill(args), { status: 0, stdout: "", stderr: "" });
      equal(
        createHash("sha256")
          .update(readFileSync(file("unique.txt")))
          .digest("hex"),
        DIGEST,
      );
    }
  });
  await check("an output that exists is replaced", () => {
    writeFileSync(file("old.txt"), "old\n");
    equal(urlmill(["dedupe", "-o", "old.txt", "-q"], "HTTP://A\n").status, 0);
    equal(readFileSync(file("old.txt"), "utf8"), "HTTP://A\n");
  });
  await check("a set on disk, twice", () => {
    const args = ["dedupe", "--seen", "set", "-q"];
    equal(urlmill(args, "http://a/\nhttp://b/\n").stdout, "http://a/\nhttp://b/\n");
    equal(urlmill(args, "http://a/\nhttp://c/\n").stdout, "http://c/\n");
  });
  await check("a set that another process has open", async () => {
    const holder = spawn(process.execPath, [main, "dedupe", "--seen", "set", "--flush", "-q"], {
      cwd: folder,
    });
    holder.stdin.write("http://d/\n");
    await new Promise((take) => holder.stdout.once("data", take));
    const { status, stderr } = urlmill(["dedupe", "--seen", "set", "-q"], "http://e/\n");
    holder.stdin.end();
    await new Promise((take) => holder.once("exit", take));
    equal([status === 0, /in use by another process/.test(stderr)], [false, true]);
    equal(
      urlmill(["dedupe", "--seen", "set", "-q"], "http://d/\nhttp://e/\n").stdout,
      "http://e/\n",
    );
  });
  await check("Ctrl-C", async () => {
    if (isWindows) return "skipped: Windows has no signal that one process sends another";
    const child = spawn(process.execPath, [main, "dedupe", "--flush", "-q"], { cwd: folder });
    child.stdin.write("http://a/\n");
    await new Promise((take) => child.stdout.once("data", take));
    child.kill("SIGINT");
    const [code, signal] = await new Promise((take) => child.once("exit", (...how) => take(how)));
    equal(signal ?? code, signal === null ? 130 : "SIGINT");
  });
  await check("two outputs whose names differ in case", () => {
    mkdirSync(file("case"));
    const args = ["dedupe", "-o", "case/out.txt", "--errors", "case/OUT.txt", "-q"];
    const { status, stderr } = urlmill(args, "http://a/\nnothing\n");
    const names = readdirSync(file("case"));
    if (names.length === 2)
      return equal(readFileSync(file("case/out.txt"), "utf8").includes("http://a/"), true);
    equal([status, names], [2, []]);
    return `refused: ${stderr.trim().split("\n")[0]}`;
  });
  await check("LMDB", async () => {
    if (values["no-lmdb"]) return "skipped: lmdb has no prebuilt file here";
    const { lmdb } = await ofPackage("./seen/lmdb");
    const { SeenSet } = await ofPackage("./seen");
    for (const expected of [true, false]) {
      const seen = await SeenSet.open(lmdb(file("lmdb")));
      equal(await seen.add("http://a/"), expected);
      await seen.close();
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
console.log(
  failures.length === 0
    ? `Node ${process.version} on ${process.platform} ${process.arch}: everything works`
    : `${failures.length} failed: ${failures.join(", ")}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
