// What must hold of LMDB and Redis when their files, connections and keys are damaged, at length.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { type RedisClient, redis } from "../../src/seen/redis.ts";
import { Random } from "../shared/random.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? Date.now() % 1_000_000);

test("no bit of an LMDB file's meta pages ends the process", async () => {
  const script = fileURLToPath(new URL("flip-lmdb.mjs", import.meta.url));
  const folder = tempFolder();
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [script, folder], {
    encoding: "utf8",
  });
  console.log(stdout);
  expect({ status, signal, stderr }).toMatchObject({ status: 0, signal: null });
});

describe.skipIf(!hasRedis())("with a Redis server", () => {
  test("each URL is told to be new once, whatever befalls a call", async () => {
    const server = new RedisServer();
    await server.start();
    const admin = new Redis({ path: server.socket });
    const random = new Random(seed);
    const urls = Array.from({ length: 20_000 }, (_, row) => `http://a.example/${row}`);
    const told = new Set<string>();
    const faults = new Map<string, number>();
    const client = faultyClient(admin, random);
    const name = `chaos ${seed}`;
    const open = (): Promise<SeenSet> =>
      SeenSet.open(redis(client.wrapped, { name, capacity: 20_000, timeoutMs: 400 }));
    const count = ({ message }: Error): null => {
      const kind = message.replace("redis: ", "").slice(0, 20);
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      return null;
    };
    /** URLs of batches that failed and never came again: nobody knows whether they are in the set. */
    let unknown = 0;
    let interposed = 0;
    const interpose = async (set: SeenSet): Promise<void> => {
      const url = `http://b.example/${interposed++}`;
      const answers = await set.addBatch([url]).catch(count);
      if (answers === null) unknown++;
      else if (answers[0] === 1) told.add(url);
      else throw new Error(`${url}: ${answers[0]}`);
    };
    client.isFaulty = false;
    const sets = [await open(), await open()];
    client.isFaulty = true;
    for (let batch = 0; batch < 4_000; batch++) {
      const set = sets[random.below(2)] as SeenSet;
      const first = random.below(urls.length - 100);
      const rows = urls.slice(first, first + 1 + random.below(100));
      const bucket = `urlmill:{${name}}:${random.below(64)}`;
      const spoils = random.below(20) === 0 && (await admin.exists(bucket)) === 1;
      if (spoils) {
        await admin.rename(bucket, `${bucket}:kept`);
        await admin.set(bucket, "of another type");
      }
      for (;;) {
        const answers = await set.addBatch(rows).catch(count);
        if ((await admin.exists(`${bucket}:kept`)) === 1)
          await admin.rename(`${bucket}:kept`, bucket);
        if (answers === null) {
          if (random.below(3) === 0) await interpose(set);
          continue;
        }
        for (const [row, url] of rows.entries()) {
          // What is answered as new was never told, and what is not new was.
          if ((answers[row] === 1) === told.has(url)) throw new Error(`${url}: ${answers[row]}`);
          told.add(url);
        }
        break;
      }
    }
    client.isFaulty = false;
    await client.late();
    const size = (await sets[0]?.size()) as number;
    expect(size).toBeGreaterThanOrEqual(told.size);
    expect(size).toBeLessThanOrEqual(told.size + unknown);
    console.log(
      `seed ${seed}: ${told.size} URLs told once, ${unknown} unknown`,
      Object.fromEntries(faults),
    );
    for (const set of sets) await set.close();
    admin.disconnect();
    await server.kill();
  });
});

/** A client that loses calls, loses answers, and makes calls again after others came. */
function faultyClient(
  client: Redis,
  random: Random,
): { wrapped: RedisClient; isFaulty: boolean; late: () => Promise<void> } {
  const kept: (() => Promise<unknown>)[] = [];
  const late = async (): Promise<void> => {
    for (const call of kept.splice(0)) await call().catch(() => {}); // nobody waits for it
  };
  const faulty = {
    isFaulty: true,
    late,
    wrapped: {
      call: async (command: string, args: (string | number)[]): Promise<unknown> => {
        const call = (): Promise<unknown> => client.call(command, args);
        if (!faulty.isFaulty) return call();
        const fate = random.below(12);
        if (fate === 0) throw new Error("lost before");
        if (fate === 1) {
          kept.push(call);
          throw new Error("lost, and comes late");
        }
        if (fate === 2) await late();
        const answer = await call();
        if (fate === 3) throw new Error("lost after");
        if (fate === 4 && random.below(8) === 0) await new Promise(() => {}); // never answers
        return answer;
      },
    },
  };
  return faulty;
}
