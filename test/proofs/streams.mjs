// Sends 2 GB through every streaming path and prints its memory on the way, which must not grow. Linux only.
// `npm run proof streams`
//
//   -- --gb N        gigabytes for each path (2)
//   -- --only TEXT   paths whose name has this text
//   -- --folder PATH for about 3 GB of files (a new one in the system's temporary folder)
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { blocks } from "./streams-input.mjs";
import { streamingPaths } from "./streams-paths.mjs";

const { values } = parseArgs({
  options: {
    gb: { type: "string", default: "2" },
    only: { type: "string", default: "" },
    folder: { type: "string" },
  },
});
const TOTAL = Number(values.gb) * 1e9;
/** Where memory is read: at a quarter, a half and the whole; in each the peak since the one before. */
const MARKS = [TOTAL / 4, TOTAL / 2, TOTAL];
/**
 * What the second half may take more than the first, in MB. Each thread's heap for young objects grows in
 * steps until it has its full size; a byte that is kept for each URL would be 16 MB of 1 GB.
 */
const SLACK_MB = 64;
const SAMPLE_MS = 10;

const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-streams-"));
const file = (name) => join(folder, name);
const list = file("list.txt");
const paths = streamingPaths(list, file, TOTAL).filter(({ name }) => name.includes(values.only));

/** Writes a block to a stream until `TOTAL` bytes of plain text are in it; says how many after each. */
async function feed(stream, { data, bytes }, say) {
  for (let fed = 0; fed < TOTAL; fed += bytes) {
    if (!stream.write(data)) await once(stream, "drain");
    say(fed);
  }
  stream.end();
}

/** How far a process has read the list. */
function placeInList(pid) {
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    if (readlinkSync(`/proc/${pid}/fd/${fd}`) !== list) continue;
    return Number(/pos:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1]);
  }
  return 0;
}

/** Runs a path; its memory in MB at each mark, and its seconds. */
async function measure({ input, args }) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: "pipe" });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  let done = 0;
  child.stdout.on("data", (text) => {
    if (input === "own") done = Number(`${text}`.trim().split("\n").at(-1));
  });
  const fed =
    input === null || input === "own"
      ? child.stdin.end()
      : feed(child.stdin, blocks[input], (bytes) => {
          done = bytes;
        });
  const peaks = MARKS.map(() => 0);
  const closed = once(child, "close");
  let isOpen = true;
  closed.then(() => {
    isOpen = false;
  });
  while (isOpen) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      if (input === null) done = placeInList(child.pid);
      const mark = MARKS.findIndex((bytes) => done <= bytes);
      if (mark >= 0) peaks[mark] = Math.max(peaks[mark], rss);
    } catch (error) {
      if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error; // it has just ended
    }
    await sleep(SAMPLE_MS);
  }
  await fed;
  const [code, signal] = await closed;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code ?? signal}: ${complaint}`);
  return { peaks, seconds: (performance.now() - started) / 1000 };
}

try {
  if (paths.some(({ input }) => input === null)) {
    const stream = createWriteStream(list);
    await feed(stream, blocks.lines, () => {});
    await once(stream, "finish");
  }
  const heads = MARKS.map((bytes) => `${bytes / 1e9} GB`.padStart(9)).join("");
  console.log(`Node ${process.version}: peak RSS in MB up to\n${"".padEnd(30)}${heads}  seconds`);
  for (const path of paths) {
    const { peaks, seconds } = await measure(path);
    const isFlat = peaks[2] <= peaks[1] + SLACK_MB;
    if (!isFlat) process.exitCode = 1;
    const figures = peaks.map((peak) => peak.toFixed(0).padStart(9)).join("");
    console.log(
      `${path.name.padEnd(30)}${figures}${seconds.toFixed(1).padStart(9)}${isFlat ? "" : "  NOT FLAT"}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
