// Dedupes five million lines in control groups that limit memory. Prints what became of each run; fails if the system
// ended one, or if its output is not the list. Keys that have no room go to temporary files. Run it as root: it makes control
// groups.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const LINES = 5_000_000;
const BLOCK = 100_000;
const folder = mkdtempSync(join(tmpdir(), "urlmill-memory-"));
const out = join(folder, "out");

/** The forms of the list: how line n is written, and what is left of an output line to compare it. */
const FORMS = {
  lines: { flags: [], line: (url) => url, head: "" },
  both: {
    flags: ["--emit", "both"],
    line: (url) => url,
    head: "",
    written: (url) => `${url}\t${url}`,
  },
  count: {
    flags: ["--count"],
    line: (url) => url,
    head: "",
    written: (url) => `      1 ${url}`,
  },
  last: { flags: ["--keep", "last"], line: (url) => url, head: "" },
  greatest: {
    flags: ["--format", "csv", "--field", "url", "--keep", "max:n"],
    line: (url, n) => `${n},"a,b",${url}`,
    head: "n,text,url\n",
  },
  map: { flags: ["--map", join(folder, "map")], line: (url) => url, head: "" },
  csv: {
    flags: ["--format", "csv", "--field", "url"],
    line: (url, n) => `${n},"a,b",${url}`,
    head: "n,text,url\n",
  },
  jsonl: {
    flags: ["--format", "jsonl", "--field", "url"],
    line: (url, n) => `{"n":${n},"url":"${url}"}`,
    head: "",
  },
};

const urlOf = (n) => `http://www.example.com/some/path/${n}/page?id=${7 * n}`;

function writeList({ line, head }) {
  const file = join(folder, "list");
  const fd = openSync(file, "w");
  writeSync(fd, head);
  for (let at = 0; at < LINES; at += BLOCK) {
    const block = Array.from({ length: BLOCK }, (_, n) => `${line(urlOf(at + n), at + n)}\n`);
    writeSync(fd, block.join(""));
  }
  closeSync(fd);
  return file;
}

/** Returns the folder in which groups are made, and the name of their limit. */
function hierarchy() {
  for (const [, at, type, options] of readFileSync("/proc/self/mountinfo", "utf8").matchAll(
    /^\d+ \d+ \S+ \S+ (\S+) .*- (cgroup2?) \S+ (\S+)$/gm,
  )) {
    if (type === "cgroup" && options.split(",").includes("memory"))
      return [at, "memory.limit_in_bytes"];
    if (
      type === "cgroup2" &&
      readFileSync(join(at, "cgroup.controllers"), "utf8").includes("memory")
    ) {
      writeFileSync(join(at, "cgroup.subtree_control"), "+memory");
      return [at, "memory.max"];
    }
  }
  throw new Error("this system has no control groups that limit memory");
}

/** Runs a command in a control group of so many MB, with the list from a pipe. */
function runWithin(megabytes, list, args) {
  const [top, limit] = hierarchy();
  const group = join(top, `urlmill-proof-${process.pid}`);
  mkdirSync(group);
  try {
    writeFileSync(join(group, limit), String(megabytes * 2 ** 20));
    // The shell that joins the group becomes the command; `cat` stays outside.
    const joined = `echo $$ > "$0/cgroup.procs"; exec "$@" > "$OUT"`;
    const script = `list=$1; shift; cat "$list" | sh -c '${joined}' "$0" "$@"`;
    const command = [process.execPath, CLI, "dedupe", ...args];
    return spawnSync(
      "bash",
      ["-o", "pipefail", "-c", `trap "" PIPE; ${script}`, group, list, ...command],
      {
        encoding: "utf8",
        env: { ...process.env, OUT: out },
      },
    );
  } finally {
    rmdirSync(group);
  }
}

/** Returns how many lines the output has. Throws if one is not that of the list. */
function checkOutput({ line, head, written = line }) {
  const bytes = readFileSync(out);
  let at = head.length;
  let n = 0;
  for (; at < bytes.length; n++) {
    const expected = `${written(urlOf(n), n)}\n`;
    if (bytes.latin1Slice(at, at + expected.length) !== expected)
      throw new Error(`line ${n + 1} is not that of the list`);
    at += expected.length;
  }
  return n;
}

try {
  for (const [name, form] of Object.entries(FORMS)) {
    const list = writeList(form);
    for (const megabytes of [160, 1100]) {
      for (const engine of ["wasm", "js"]) {
        const flags = [...form.flags, "--threads", "2", "--engine", engine];
        const { status, stderr } = runWithin(megabytes, list, flags);
        const isSpilled = stderr.includes("temporary");
        console.log(
          `${name}, ${engine}, ${megabytes} MB: ${checkOutput(form)} lines, exit code ${status}${isSpilled ? ", with temporary files" : ""}`,
        );
        if (status !== 0 || checkOutput(form) !== LINES) {
          console.log(stderr);
          process.exitCode = 1;
        }
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
