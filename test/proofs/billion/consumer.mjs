// A process that enqueues rows, from the first that its set does not have, and drains them at each of some rows: it checks
// all answers. It prints a line of JSON for each batch, and figures of the last tenth before each mark. Its argument is a task:
// { directory, rows, seed, stride, memory, batch, drains, marks }.
import { readFileSync, writeSync } from "node:fs";
import { disk, SeenSet } from "urlmill/seen";
import { Rows } from "./rows.mjs";

const task = JSON.parse(process.argv[2]);
const rows = new Rows(task.seed, task.stride);
const say = (what) => writeSync(1, `${JSON.stringify(what)}\n`);
const beginnings = task.marks.map((mark) => mark * 0.9);
const stops = [...new Set([...task.drains, ...beginnings, ...task.marks])].sort((a, b) => a - b);

/** What the model took: making URLs and answers. It is not of the set. */
const model = { cpu: 0, seconds: 0 };
const cpuNow = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function ofModel(call) {
  const [cpu, at] = [cpuNow(), performance.now()];
  const result = call();
  model.cpu += cpuNow() - cpu;
  model.seconds += (performance.now() - at) / 1000;
  return result;
}

/** Returns numbers of a file of /proc. */
function numbersOf(file, ...names) {
  const text = readFileSync(`/proc/self/${file}`, "utf8");
  return names.map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]));
}

function now() {
  const [read, written] = numbersOf("io", "rchar", "wchar");
  const seconds = performance.now() / 1000;
  return { cpu: cpuNow() - model.cpu, seconds: seconds - model.seconds, read, written };
}

function figures(row, count, before) {
  const after = now();
  const a = (name) => (after[name] - before[name]) / count;
  return {
    mark: row,
    rowsPerSecond: 1 / a("seconds"),
    cpuNs: a("cpu") * 1e9,
    read: a("read"),
    written: a("written"),
  };
}

function check(piece) {
  const expected = rows.answers(piece.row, piece.answers.length);
  if (Buffer.compare(expected, piece.answers) === 0) return;
  const at = expected.findIndex((answer, index) => answer !== piece.answers[index]);
  throw new Error(`row ${piece.row + at}: ${piece.answers[at]} in place of ${expected[at]}`);
}

async function drain(set) {
  let next = (await set.stats()).settledRow;
  for await (const piece of set.drain()) {
    if (piece.row !== next) throw new Error(`row ${piece.row} came, not ${next}`);
    ofModel(() => check(piece));
    await piece.commit();
    next += piece.answers.length;
    say({ drained: next });
  }
}

const started = performance.now();
const set = await SeenSet.open(disk(task.directory, { memory: task.memory, immediate: false }));
const { nextRow, settledRow: settled } = await set.stats();
say({ opened: (performance.now() - started) / 1000, row: nextRow, settled });
let row = nextRow;
let before = null;
while (row < task.rows) {
  const stop = stops.find((at) => at > row);
  const count = Math.min(task.batch, stop - row);
  await set.enqueueBatch(ofModel(() => rows.lines(row, count)));
  row += count;
  say({ row });
  if (row !== stop) continue;
  await drain(set);
  if (before !== null && task.marks.includes(row)) {
    const { storedBytes, size } = await set.stats();
    const bytes = storedBytes / size;
    say({ ...figures(row, row * 0.1, before), bytes, rss: numbersOf("status", "VmHWM")[0] / 1024 });
  }
  if (beginnings.includes(row)) before = now();
}
await drain(set);
const { settledRow, size } = await set.stats();
await set.close();
say({ done: settledRow, size });
