import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackages } from "./install-node.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs suites on a Node that this system starts only by another program. `command`: that program and Node, as words of a shell.
 * `native`: the packages of native code that the suites load, without versions. Sets the exit code.
 */
export function runSuites(command, native, folder, suites, variables = {}) {
  // Some tests give up the rights of the superuser, and load native packages then.
  chmodSync(folder, 0o755);
  const versions = { "@rolldown": versionOf("rolldown"), "@lmdb": versionOf("lmdb") };
  installPackages(
    native.map((name) => `${name}@${versions[name.split("/")[0]]}`),
    folder,
  );
  // Tests start Node by its path, which the system cannot run alone.
  const program = join(folder, "node");
  writeFileSync(program, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(program, 0o755);
  const before = join(folder, "before.mjs");
  writeFileSync(before, `process.execPath = ${JSON.stringify(program)};\n`);
  const env = {
    ...process.env,
    ...variables,
    NODE_PATH: join(folder, "node_modules"),
    NODE_OPTIONS: `--import ${pathToFileURL(before)}`,
  };
  const run = (...args) => spawnSync(program, args, { cwd: root, stdio: "inherit", env });
  run("-p", "process.arch + ' ' + process.version");
  // One thread, not a process: each would load an emulator again.
  const flags = ["--pool", "threads", "--maxWorkers", "1", "--testTimeout", "3600000"];
  const { status, error } = run("node_modules/vitest/vitest.mjs", "run", ...flags, ...suites);
  if (error) throw error;
  process.exitCode = status ?? 1;
}

function versionOf(name) {
  const file = join(root, "node_modules", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}
