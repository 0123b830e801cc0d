// Runs steps on a set on disk, for tests of Python on the same directory. Reads {path, memory, options, steps} from standard
// input, and writes one answer a step as JSON.
import { disk, SeenSet } from "../../dist/seen/index.js";

const { path, memory, immediate, options, steps } = JSON.parse(
  Buffer.concat(await process.stdin.toArray()).toString(),
);

/** Drains pieces and commits the first `most` of them. */
async function drain(seen, most) {
  const pieces = [];
  for await (const piece of seen.drain()) {
    const payloads = piece.payloads?.map((payload) => Buffer.from(payload).toString()) ?? null;
    pieces.push([piece.row, [...piece.answers], payloads]);
    if (pieces.length <= most) await piece.commit();
  }
  return pieces;
}

const calls = {
  add: async (seen, urls) => [...(await seen.addBatch(urls))],
  has: async (seen, urls) => [...(await seen.hasBatch(urls))],
  enqueue: (seen, [urls, payload]) => seen.enqueueBatch(urls, { payload: payload ?? undefined }),
  drain,
  size: (seen) => seen.size(),
  identity: (seen) => Buffer.from(seen.key).toString("hex"),
  /** Says that the set is open, and waits until it is killed. */
  hold: () => {
    process.stdout.write("open\n");
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  },
};

try {
  const seen = await SeenSet.open(disk(path, { memory, immediate, fsync: "close" }), options);
  const answers = [];
  for (const [name, argument] of steps) answers.push(await calls[name](seen, argument));
  await seen.close();
  process.stdout.write(JSON.stringify(answers));
} catch (error) {
  process.stdout.write(JSON.stringify({ code: error.code, message: error.message }));
}
