// Tries what a release would publish as its users would: `npm run release -- --dry`. Installs the tarball, the wheel and the
// sdist in empty folders, on each runtime that can be had here, and prints a page for a person to read.
//
// NODES names versions of Node, from the registry (20 24 26). PYTHONS names programs of Python (each python3.N that is found).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { installNode, installPackages } from "../test/proofs/install-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const PYTHON_MINORS = [10, 11, 12, 13, 14];
/** What the wheel must do with nothing else installed than what it asks for. */
const PYTHON_PROGRAM = `
import urlmill
n = urlmill.Normalizer("crawl")
assert n.normalize("HTTP://B\\u00fccher.de:80/a/../b?y=2&x=1#c") == "http://xn--bcher-kva.de/b?x=1&y=2"
assert urlmill.SeenSet().add("http://a/")`;

/** Runs a command. Throws with the end of what it printed if it fails. */
function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...options,
  });
  if (status === 0) return stdout;
  throw error ?? new Error(`${stdout}\n${stderr}`.trim().split("\n").slice(-12).join("\n"));
}

/** Tries the packages of a folder. Writes the page there too, as release.md. Returns whether everything works. */
export async function tryRelease(folder) {
  const work = mkdtempSync(join(tmpdir(), "urlmill-dry-"));
  const rows = [];
  let failed = 0;
  const row = async (what, where, attempt) => {
    let answer;
    try {
      answer = (await attempt()) ?? "works";
    } catch (error) {
      failed++;
      answer = `**FAILED**: ${error.message.replaceAll("\n", "<br>")}`;
    }
    const line = `| ${what} | ${where} | ${answer} |`;
    rows.push(line);
    console.log(line);
  };
  const named = (end) => readdirSync(folder).find((name) => name.endsWith(end));
  const file = (end) => join(folder, named(end));
  try {
    await tryNode(row, file(".tgz"), work);
    await tryPython(row, [file(".whl"), file(".tar.gz")], work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const page = pageOf(folder, rows);
  writeFileSync(join(folder, "release.md"), page);
  console.log(`\n${page}`);
  return failed === 0;
}

async function tryNode(row, tarball, work) {
  const project = join(work, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}');
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", tarball], { cwd: project });
  const dist = join(project, "node_modules/urlmill/dist");
  const environment = { ...process.env, URLMILL_DIST: dist, URLMILL_LONG: "1", NO_COLOR: "1" };

  for (const version of (process.env.NODES ?? "20 24 26").split(" ")) {
    const node = installNode(version, work);
    await row("installed and used (`npm run proof smoke`)", `Node ${version}`, () => {
      run(node, ["test/proofs/smoke.mjs", tarball], { cwd: root });
    });
    await row("the blocks of README", `Node ${version}`, () => {
      const tests = ["test/docs/javascript.test.ts", "test/docs/shell.test.ts", "-t", "README.md"];
      const vitest = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", ...tests];
      const report = JSON.parse(
        run(node, vitest, { cwd: root, env: environment }).replace(/^[^{]*/, ""),
      );
      if (report.numPassedTests === 0) throw new Error("no block ran");
      return `${report.numPassedTests} blocks`;
    });
  }
  const main = join(dist, "cli/main.js");
  writeFileSync(
    join(work, "urls.txt"),
    gunzipSync(readFileSync(join(root, "test/fixtures/urls-50k.txt.gz"))),
  );
  const digestBy = (command, args) =>
    createHash("sha256")
      .update(
        run(command, [...args, main, "dedupe", "--preset", "crawl", "-q", join(work, "urls.txt")]),
      )
      .digest("hex");
  const expected = digestBy(process.execPath, []);
  for (const [name, args] of [
    ["bun", ["run"]],
    ["deno", ["run", "--allow-all"]],
  ]) {
    await row("the command line", name, () => {
      installPackages([name], join(work, name));
      // Scripts of these packages put the program in its place.
      run("npm", ["rebuild", "--prefix", join(work, name)]);
      if (digestBy(join(work, name, "node_modules/.bin", name), args) !== expected)
        throw new Error("it writes other URLs than Node");
    });
  }
  await row("the manual page", "man", () => {
    const page = gunzipSync(readFileSync(join(dist, "urlmill.1.gz")));
    const lines = run("groff", ["-man", "-Tutf8", "-ww"], { input: page }).split("\n").length;
    return `${lines} lines, no warning`;
  });
  for (const shell of ["bash", "zsh", "fish"]) {
    await row("completion", shell, () => {
      const script = join(work, `completion.${shell}`);
      writeFileSync(script, run(process.execPath, [main, "completion", shell]));
      run(shell, ["-n", script]);
    });
  }
}

async function tryPython(row, packages, work) {
  const found = PYTHON_MINORS.map((minor) => `python3.${minor}`).filter(
    (program) => spawnSync(program, ["--version"]).status === 0,
  );
  for (const program of process.env.PYTHONS?.split(" ") ?? found) {
    for (const file of packages) {
      await row(file.endsWith(".whl") ? "the wheel" : "the sdist", program, () => {
        const venv = mkdtempSync(join(work, "venv-"));
        run(program, ["-m", "venv", venv]);
        const python = join(venv, process.platform === "win32" ? "Scripts/python" : "bin/python");
        run(python, ["-m", "pip", "install", "--quiet", file]);
        run(python, ["-c", PYTHON_PROGRAM], { cwd: venv });
        // Its own command comes first, and Node's is not there.
        const env = { ...process.env, PATH: [join(venv, "bin"), process.env.PATH].join(delimiter) };
        return run(python, ["-m", "urlmill", "--version"], { cwd: venv, env }).trim();
      });
    }
  }
  for (const minor of PYTHON_MINORS) {
    const program = `python3.${minor}`;
    if (!found.includes(program) && process.env.PYTHONS === undefined)
      await row("the wheel", program, () => "not here: the workflow tries it");
  }
}

/** Returns the page: what would be published, and what was tried. */
function pageOf(folder, rows) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((name) => !name.endsWith(".md"));
  const sizes = files.map((name) => {
    const bytes = readFileSync(join(folder, name));
    const digest = createHash("sha256").update(bytes).digest("hex");
    return `| ${name} | ${statSync(join(folder, name)).size} | ${digest} |`;
  });
  const commit = run("git", ["rev-parse", "HEAD"], { cwd: root }).trim();
  const isChanged = run("git", ["status", "--porcelain"], { cwd: root }) !== "";
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8")
    .split(/\n(?=## )/)
    .find((part) => part.startsWith(`## ${version}`));
  const headings = changes?.split("\n").filter((line) => /^##/.test(line)) ?? [];
  return [
    `# urlmill ${version}, commit ${commit}${isChanged ? " and what is not committed" : ""}`,
    "## Files\n\n| file | bytes | SHA-256 |\n|---|---:|---|",
    ...sizes,
    "\n## Tried\n\n| what | where | |\n|---|---|---|",
    ...rows,
    "\n## Licences\n\nThe packages have LICENSE and NOTICE. `docs/dependencies.md` lists the licence of each dependency.",
    `\n## Changes\n\n${headings.join("\n") || "CHANGELOG.md has none."}`,
    "\nBefore the tag: `npm run release` runs the tests, too.\n",
  ].join("\n");
}
