// A process that writes to a set: adds batches of numbered URLs and says of each, once it is answered,
// which it was and how many were new. With `holds` it commits a batch after it has said so.
// With `compacts` it then compacts the set until it is killed. Its argument is a WriterTask (seen-processes.ts) as JSON.
import { writeSync } from "node:fs";
import { disk, SeenSet } from "urlmill/seen";
import { lmdb } from "urlmill/seen/lmdb";
import { redis } from "urlmill/seen/redis";

const task = JSON.parse(process.argv[2]);
const { journal, diskPath, lmdbPath, redisSocket, first, count, size } = task;

function place() {
  if (journal !== undefined) return journal;
  if (diskPath !== undefined) return disk(diskPath, { memory: 1 << 24 });
  if (lmdbPath !== undefined) return lmdb(lmdbPath);
  return redis(redisSocket, { name: "shared", capacity: 1_000_000 });
}

const set = await SeenSet.open(place());
writeSync(1, "open\n");
for (let batch = first; batch < first + count; batch++) {
  const urls = Array.from({ length: size }, (_, row) => `http://a.example/${batch * size + row}`);
  const held = task.holds ? await set.addBatch(urls, { hold: true }) : null;
  const answers = held?.answers ?? (await set.addBatch(urls));
  const fresh = answers.reduce((sum, isNew) => sum + isNew, 0);
  writeSync(1, `${batch} ${fresh}\n`);
  if (held !== null) await set.commit(held);
}
while (task.compacts) {
  await set.compact();
  writeSync(1, "compacted\n");
}
if (task.crashes) process.kill(process.pid, "SIGKILL");
await set.close();
writeSync(1, "done\n");
