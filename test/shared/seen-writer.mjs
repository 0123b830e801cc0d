// A process that writes to a set: adds batches of numbered URLs and says of each, once it is answered,
// which it was and how many were new. Arguments as JSON: where, options, first, end, size, shuffles.
import { writeSync } from "node:fs";
import { lmdb, redis, SeenSet } from "urlmill/seen";

const { journal, lmdbPath, redisSocket, name, options, batches, size } = JSON.parse(
  process.argv[2],
);

function place() {
  if (journal !== undefined) return journal;
  if (lmdbPath !== undefined) return lmdb(lmdbPath);
  return redis(redisSocket, { name, capacity: 1_000_000 });
}

const set = await SeenSet.open(place(), options);
writeSync(1, "open\n");
for (const batch of batches) {
  const urls = Array.from({ length: size }, (_, row) => `http://a.example/${batch * size + row}`);
  const answers = await set.addBatch(urls);
  writeSync(1, `${batch} ${answers.reduce((sum, isNew) => sum + isNew, 0)}\n`);
}
await set.close();
writeSync(1, "done\n");
