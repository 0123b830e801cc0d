import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { runExample } from "./example.ts";
import { tempFolder } from "./temp-folder.ts";

/**
 * Runs an example that asks a site which of its URLs are one page, on a forum with sessions: `sid` does not affect topics, and
 * `page` does. News change at each fetch, an account needs a login, and a calendar never ends.
 */
export async function expectProbed(program: string): Promise<void> {
  const asked: string[] = [];
  // The site redirects to another one for its robots.txt, as many do since they have https.
  const other = createServer((_, response) => response.end("User-agent: *\nDisallow: /private/\n"));
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, "http://a");
    const of = (name: string) => searchParams.get(name) ?? "1";
    const texts: Record<string, string> = {
      "/topic": `Topic ${of("id")}, page ${of("page")}`,
      "/news": `News of topic ${of("id")}, seen by ${asked.length} readers`,
      "/account": "Please log in",
      "/calendar": `No events on day ${of("day")}`,
    };
    const text = texts[pathname];
    if (pathname === "/robots.txt")
      response.writeHead(301, { location: originOf(other) + url }).end();
    else if (pathname === "/moved") {
      response.writeHead(301, { location: `/topic?id=${of("id")}` }).end();
    } else if (text === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html").end(`<p>${text}</p>`);
  });
  for (const each of [server, other]) await once(each.listen(0, "localhost"), "listening");
  const folder = tempFolder();
  const [links, rules] = [join(folder, "links.txt"), join(folder, "rules.tsv")];
  writeFileSync(
    links,
    targets()
      .map((target) => `${originOf(server)}${target}\n`)
      .join(""),
  );
  try {
    expect(await runExample(program, links, rules)).toMatch(/^[1-9]\d* rules/);
  } finally {
    server.close();
    other.close();
  }
  const learned = readFileSync(rules, "utf8");
  expect(learned).toMatch(/\t\/topic\tdrop sid\t/);
  expect(learned).not.toMatch(/page|day|id=/);
  expect(asked.filter((url) => url.startsWith("/private/"))).toEqual([]);
  // Pages that change at each fetch are asked for once more.
  const news = asked.filter((url) => url.startsWith("/news"));
  expect(news.length - new Set(news).size).toBeGreaterThanOrEqual(1);
  // The limit, those that moved, and robots.txt.
  expect(asked.length).toBeLessThanOrEqual(200 + 5 + 1);
}

function originOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function targets(): string[] {
  return Array.from({ length: 60 }, (_, id) => [
    ...["", `&sid=${id}`, "&page=2"].map((more) => `/topic?id=${id}${more}`),
    ...["", `&sid=${id}`].map((more) => `/news?id=${id}${more}`),
    `/account?id=${id}&sid=${id}`,
    `/calendar?day=${id}`,
    `/private/${id}`,
    ...(id < 5 ? [`/moved?id=${id}`, `/gone/${id}`] : []),
  ]).flat();
}
