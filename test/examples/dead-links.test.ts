import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHROMIUM } from "../shared/chromium.ts";
import { runExample } from "../shared/example.ts";
import { IS_LONG } from "../shared/length.ts";
import { hasRedis, RedisServer } from "../shared/redis-server.ts";

/** A site with links that lead nowhere, and one to a file. */
const site = createServer(({ url, socket }, response) => {
  if (url === "/broken") socket.destroy();
  else if (url === "/circle") response.writeHead(302, { location: "/circle" }).end();
  else if (url === "/file") response.setHeader("content-type", "application/zip").end("PK");
  else {
    const links = ["/broken", "/circle", "/file", "/b"].map((to) => `<a href="${to}">${to}</a>`);
    response.setHeader("content-type", "text/html").end(links.join(""));
  }
});
let start = "";

beforeAll(async () => {
  await once(site.listen(0, "localhost"), "listening");
  start = `http://localhost:${(site.address() as AddressInfo).port}/`;
});

afterAll(() => {
  site.close();
});

test("fetch.mjs goes on after links that lead nowhere", async () => {
  expect(await runExample("fetch.mjs", start)).toBe("3 pages, 5 fetches");
});

test.runIf(IS_LONG && hasRedis())("redis.mjs goes on after links that lead nowhere", async () => {
  const server = new RedisServer();
  try {
    await server.start();
    expect(await runExample("redis.mjs", start, server.socket)).toBe("3 pages, 5 fetches");
  } finally {
    await server.kill();
  }
});

test.runIf(IS_LONG && CHROMIUM !== undefined)(
  "playwright.mjs goes on after links that lead nowhere, or to a file",
  async () => {
    expect(await runExample("playwright.mjs", start, CHROMIUM as string)).toBe(
      "2 pages, 5 fetches",
    );
  },
);
