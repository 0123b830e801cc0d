// Sends SIGTERM to every streaming path of the command line in its middle, with a reader that takes all and one that
// takes nothing: each ends within a second. Part of `npm run proof streams`
//
//   -- --only TEXT   paths whose name has this text
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as zlib from "node:zlib";
import { blocks } from "./streams-input.mjs";
import { streamingPaths } from "./streams-paths.mjs";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, gb: { type: "string" } },
});
const LIMIT_MS = 1000;
/** How long a command runs first: 500 ms on a quiet machine, and longer where starting one takes long. */
const RUN_MS = 5 * startMs();
/** Copies of the corpus in the list, so that no path has read it when it is interrupted. */
const COPIES = 300;

const folder = mkdtempSync(join(tmpdir(), "urlmill-interrupts-"));
const list = join(folder, "list.txt");
const decompress = { gz: zlib.gunzipSync, zst: zlib.zstdDecompressSync };

/** Milliseconds that a command takes to start, to read a line and to end. */
function startMs() {
  const started = performance.now();
  spawnSync(process.execPath, ["dist/cli/main.js", "normalize"], { input: "http://a/\n" });
  return performance.now() - started;
}

/** Writes a block again and again until the command ends. */
function feed(stream, { data }) {
  stream.on("error", () => {}); // the command ends before its input does
  const more = (error) => {
    if (!error && !stream.destroyed) stream.write(data, more);
  };
  more();
}

/** Milliseconds from the signal to the end of the process, its exit code, and the last byte it wrote. */
async function interrupt({ input, args }, isRead) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const closed = once(child.stdout, "close");
  let last = 0x0a;
  const read = () =>
    child.stdout.on("data", (bytes) => {
      last = bytes.at(-1);
    });
  if (isRead) read();
  if (input !== null) feed(child.stdin, blocks[input]);
  await sleep(RUN_MS);
  if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended by itself`);
  const started = performance.now();
  child.kill("SIGTERM");
  const [code] = await ended;
  const took = performance.now() - started;
  if (!isRead) read();
  await closed;
  return { took, code, last };
}

/** What is wrong with the files that were written. */
function faultOf(name) {
  const ending = name.split(".").at(-1);
  const bytes = readFileSync(join(folder, name));
  const text = ending in decompress ? decompress[ending](bytes) : bytes;
  return text.length === 0 || text.at(-1) === 0x0a ? null : `${name} ends within a line`;
}

try {
  writeFileSync(list, Buffer.concat(new Array(COPIES).fill(blocks.lines.data)));
  console.log(
    `Node ${process.version}: milliseconds from SIGTERM to the end\n${"".padEnd(30)}   read  unread`,
  );
  const made = (name) => join(folder, name);
  for (const path of streamingPaths(list, made, 0)) {
    if (!path.name.includes(values.only) || path.name.startsWith("pool.")) continue;
    const faults = [];
    const times = [];
    for (const isRead of [true, false]) {
      const { took, code, last } = await interrupt(path, isRead);
      times.push(took.toFixed(0).padStart(7));
      if (took > LIMIT_MS) faults.push("too late");
      if (code !== 143) faults.push(`exit code ${code}`);
      if (last !== 0x0a && path.input !== "one line")
        faults.push("standard output ends within a line");
      for (const name of readdirSync(folder)) {
        if (/\.(gz|zst)$/.test(name)) faults.push(faultOf(name));
        if (name !== "list.txt") rmSync(join(folder, name), { recursive: true });
      }
    }
    const found = faults.filter((fault) => fault !== null);
    if (found.length > 0) process.exitCode = 1;
    console.log(`${path.name.padEnd(30)}${times.join(" ")}  ${found.join(", ")}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
