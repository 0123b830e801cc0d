// Runs every check that a release must pass, and leaves what it publishes in build/pack: the tarball, the wheel and the
// sdist of Python, the jars of Java, the crate of Rust, the kernel without SIMD, and a list of what the tarball needs (SBOM,
// CycloneDX). Publishes nothing. `npm run release`
//
//   -- --package   the tarball and its checks alone
//   -- --dry       tries what would be published as its users would, and prints a page to read, in place of the tests
//   -- --tag TAG   refuses a tag that is not `v` and the version of all packages
//
// PYTHON names a Python that has the package `build`.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { tryRelease } from "./dry-release.mjs";
import { LARGEST_PACKAGE } from "./package-size.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "build/pack");

const { values } = parseArgs({
  options: {
    package: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
    tag: { type: "string" },
  },
});
if (values.tag !== undefined) checkTag(values.tag);
// `.ci/run` runs the tests itself, and takes the checks of the package alone.
if (!values.package && !values.dry) {
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
if (!values.package) {
  run(process.env.PYTHON ?? "python3", ["-m", "build", "--outdir", folder, "python"]);
  rmSync(join(root, "java/target"), { recursive: true, force: true });
  run("mvn", ["--quiet", "--batch-mode", "package"], join(root, "java"));
  for (const file of readdirSync(join(root, "java/target"))) {
    if (file.endsWith(".jar")) copyFileSync(join(root, "java/target", file), join(folder, file));
  }
  const crates = join(root, "build/cargo");
  rmSync(crates, { recursive: true, force: true });
  // `npm run proof hosts` has built it. Git ignores its data, which cargo calls dirty.
  const cargo = ["package", "--locked", "--no-verify", "--allow-dirty", "--target-dir", crates];
  run("cargo", cargo, join(root, "rust"));
  for (const file of readdirSync(join(crates, "package"))) {
    if (file.endsWith(".crate")) copyFileSync(join(crates, "package", file), join(folder, file));
  }
  const sbom = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"];
  const list = execFileSync("npm", sbom, { cwd: root, encoding: "utf8" });
  writeFileSync(join(folder, "urlmill.cdx.json"), list);
  for (const file of ["kernel-scalar.wasm", "kernel-scalar.wasm.sha256"]) {
    copyFileSync(join(root, "dist", file), join(folder, file));
  }
}
if (values.dry && !(await tryRelease(folder)))
  stop("something of what would be published does not work");
console.log(`\n${tarball} passes every check.`);

function checkTag(tag) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const python = readFileSync(join(root, "python/src/urlmill/_version.py"), "utf8");
  const pom = readFileSync(join(root, "java/pom.xml"), "utf8");
  const java = /<artifactId>urlmill<\/artifactId>\s*<version>(.*?)<\/version>/.exec(pom)?.[1];
  const manifest = readFileSync(join(root, "rust/Cargo.toml"), "utf8");
  const rust = /^version = "(.*)"$/m.exec(manifest)?.[1];
  const isOne = python.includes(`"${version}"`) && java === version && rust === version;
  if (tag !== `v${version}` || !isOne)
    stop(
      `the tag is ${tag}, and the packages are of ${version}, ${python.trim()}, ${java} and ${rust}`,
    );
}

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
