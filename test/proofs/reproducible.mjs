// Builds and packs twice, in two folders, on this Node and on Node 24: each file must be the same.
// `npm run proof reproducible`. Linux on x64 only; PYTHON names the Python that makes the wheel.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { copyTree } from "./copy-tree.mjs";
import { installNode } from "./install-node.mjs";

const python = process.env.PYTHON ?? "python3";

/** Builds all that is released with a Node. Returns the SHA-256 of each file by its name. */
function buildWith(node) {
  const tree = copyTree("build");
  try {
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    const run = (command, args) => execFileSync(command, args, { cwd: tree, env, stdio: "pipe" });
    run("npm", ["run", "build"]);
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", "."]);
    run(python, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", ".", "./python"]);
    run("mvn", ["-q", "-B", "package", "-DskipTests", "-f", "java"]);
    const jars = readdirSync(join(tree, "java/target"))
      .filter((name) => name.endsWith(".jar"))
      .map((name) => join("java/target", name));
    const packed = readdirSync(tree).filter((name) => /\.(?:tgz|whl)$/.test(name));
    const built = readdirSync(join(tree, "dist"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(tree, join(entry.parentPath, entry.name)));
    return new Map([...packed, ...jars, ...built].map((name) => [name, sha256(join(tree, name))]));
  } finally {
    rmSync(tree, { recursive: true });
  }
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

const folder = mkdtempSync(join(tmpdir(), "urlmill-node-"));
try {
  const [first, second] = [process.execPath, installNode("24", folder)].map(buildWith);
  const names = new Set([...first.keys(), ...second.keys()]);
  const different = [...names].filter((name) => first.get(name) !== second.get(name));
  for (const [name, digest] of first) {
    if (/\.(?:tgz|whl|jar|wasm)$/.test(name)) console.log(`${digest}  ${name}`);
  }
  console.log(`${names.size - different.length} of ${names.size} files are the same`);
  for (const name of different) console.error(`different: ${name}`);
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
