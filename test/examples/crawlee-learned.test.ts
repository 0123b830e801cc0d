// At full length only: it starts servers.

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runExample } from "../shared/example.ts";
import { atLength, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const TOPICS = atLength(4, 20);

/** A forum of topics with three posts, each of which has a URL of its own that shows the topic. */
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "", "http://a");
  const post = searchParams.get("p");
  const topic = post === null ? Number(searchParams.get("t")) : Math.floor(Number(post) / 3);
  const ahead = [2 * topic + 1, 2 * topic + 2].filter((to) => to < TOPICS);
  const posts = [0, 1, 2].map((place) => 3 * topic + place);
  const isPrint = request.url?.startsWith("/print") === true;
  const body = isPrint
    ? []
    : [
        `<a href="/print?t=${topic}">print</a>`,
        ...ahead.map((to) => `<a href="/topic?t=${to}">next</a>`),
        ...posts.map((id) => `<a href="/topic?p=${id}#p${id}">link</a><p id="p${id}">post</p>`),
      ];
  response.setHeader("content-type", "text/html").end(`<html><body>${body.join("")}</body></html>`);
});

const rules = join(tempFolder(), "rules.tsv");
let host = "";

beforeAll(async () => {
  server.listen(0, "localhost");
  await once(server, "listening");
  host = `localhost:${(server.address() as AddressInfo).port}`;
  const lines = ["/topic ?p\ttrust self #p<N>", "/print\tnoindex"];
  writeFileSync(rules, `#urlmill-rules 1\n${lines.map((line) => `${host}\t${line}\n`).join("")}`);
});

afterAll(() => {
  server.close();
});

test("crawlee-learned.mjs fetches each page once, by what its pages say of their other URLs", async () => {
  const crawl = (...args: string[]) =>
    runExample("crawlee-learned.mjs", rules, `http://${host}/topic?t=0`, ...args);
  expect(await crawl("yes", "noindex")).toBe(`${TOPICS} pages`);
  expect(await crawl()).toBe(`${2 * TOPICS} pages`);
});

testAtLength("without trust it fetches each of their URLs", async () => {
  expect(await runExample("crawlee-learned.mjs", rules, `http://${host}/topic?t=0`, "no")).toBe(
    `${5 * TOPICS} pages`,
  );
});
