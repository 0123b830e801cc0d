// Runs every check that a release must pass and leaves its tarball in build/pack: `npm run release`. Publishes nothing.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LARGEST_PACKAGE } from "./package-size.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "build/pack");

// `.ci/run` runs the tests itself, and takes the checks of the package alone.
if (!process.argv.includes("--package")) {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (changed !== "")
    stop(`commit or remove what is changed, so that the tarball is a commit:\n${changed}`);
  run("npm", ["test"]);
  run("npm", ["run", "proof", "bundlers"]);
}
run(process.execPath, ["tools/pack-twice.mjs"]);

const [name] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
const tarball = join(folder, name);
run("npx", ["publint", tarball, "--strict"]);
run("npx", ["attw", tarball, "--profile", "esm-only", "--format", "table-flipped"]);
checkUnpacked();
console.log(`\n${tarball} passes every check.`);

/** Runs the packed package, with the packages that it depends on, and checks its size. */
function checkUnpacked() {
  const unpacked = join(folder, "unpacked");
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  run("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"]);
  const bytes = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  if (bytes > LARGEST_PACKAGE) {
    stop(`the package unpacks to ${bytes} bytes, more than ${LARGEST_PACKAGE}`);
  }
  const program = `
    import { createNormalizer } from "urlmill";
    import { createPool } from "urlmill/pool";
    import { SeenSet } from "urlmill/seen";
    const n = createNormalizer({ preset: "crawl" });
    const pool = createPool({ threads: 1, minBatchBytes: 0 });
    const { urls } = await pool.normalizeBatch(["HTTP://A"]);
    await pool.close();
    const [isNew] = await new SeenSet().addBatch(["http://a/"]);
    if (n.engine !== "wasm" || urls[0] !== "http://a/" || isNew !== 1) throw new Error("it does not work");`;
  run(process.execPath, ["--input-type=module", "-e", program], unpacked);
  run(process.execPath, [join(unpacked, "dist/cli/main.js"), "--version"], unpacked);
  // A second package.json in the project would be what publint speaks of in the tests.
  rmSync(unpacked, { recursive: true });
}

function run(command, args, cwd = root) {
  console.log(`\n> ${command} ${args.join(" ").trim().split("\n")[0]}`);
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status !== 0) stop(`${command} ${args[0]} failed${error ? `: ${error.message}` : ""}`);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
