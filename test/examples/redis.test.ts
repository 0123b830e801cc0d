// At full length only: it starts servers.
import { expect, test } from "vitest";
import { FULL_SITE, SMALL_SITE } from "../../examples/site/pages.ts";
import { Site } from "../../examples/site/site.ts";
import { expectNoWaste, runExample } from "../shared/example.ts";
import { atLength } from "../shared/length.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

test.skipIf(!hasRedis())("two runs of redis.mjs find each page with one fetch", async () => {
  const server = new RedisServer();
  const site = await Site.start(atLength(SMALL_SITE, FULL_SITE));
  try {
    await server.start();
    const run = (): Promise<string> => runExample("redis.mjs", site.url, server.socket);
    const printed = await Promise.all([run(), run()]);
    expectNoWaste(site);
    const counts = printed.map((line) => line.match(/\d+/g)?.map(Number) ?? []);
    const sum = (column: number): number =>
      counts.reduce((all, row) => all + (row[column] ?? 0), 0);
    expect([sum(0), sum(1)]).toEqual([site.size, site.size]);
  } finally {
    await site.close();
    await server.kill();
  }
});
