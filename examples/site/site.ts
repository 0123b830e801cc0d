import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { addressOf, FULL_SITE, makePages, type Page, type SiteSize } from "./pages.ts";
import { spell } from "./spell.ts";

/**
 * A forum on this machine, for crawlers to be tried on. It sets no cookies: who asks without a session
 * id gets a new one, which links may carry. Each page answers under all spellings of its address. Links
 * depend on the URL that was asked for and on nothing else, so a crawl can be repeated.
 */
export class Site {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #served = new Set<string>();
  readonly #missing: string[] = [];
  #fetches = 0;

  private constructor(size: SiteSize) {
    this.#pages = makePages(size);
  }

  /** Starts a site on a port that is free. */
  static async start(size = FULL_SITE): Promise<Site> {
    const site = new Site(size);
    site.#server.listen(0, "localhost");
    await once(site.#server, "listening");
    return site;
  }

  /** Returns the URL of its home page. */
  get url(): string {
    return `${this.#origin}/`;
  }

  /** Counts the pages that it has. */
  get size(): number {
    return this.#pages.size;
  }

  /** Counts the distinct pages that were served. */
  get pages(): number {
    return this.#served.size;
  }

  /** Counts the answers, with those for pages that were served before. */
  get fetches(): number {
    return this.#fetches;
  }

  /** Counts the answers that gave nothing new. */
  get waste(): number {
    return this.#fetches - this.#served.size;
  }

  /** Lists what was asked for and is not a page. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Counts from zero again. */
  reset(): void {
    this.#served.clear();
    this.#missing.length = 0;
    this.#fetches = 0;
  }

  /** Ends the site and the connections to it. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get #origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer({ url: target = "/" }: IncomingMessage, response: ServerResponse): void {
    this.#fetches++;
    const asked = readTarget(target);
    const page = this.#pages.get(asked.address);
    if (page === undefined) {
      this.#missing.push(target);
      response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.");
      return;
    }
    this.#served.add(asked.address);
    const place = { origin: this.#origin, path: asked.path, session: asked.session };
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const links = page.links.map((address) => {
      const href = spell(this.#pages.get(address) as Page, place, `${target} ${address}`);
      return `<li><a href="${escapeAmpersands(href)}">${escapeAmpersands(address)}</a></li>`;
    });
    response.end(writePage(asked.address, links));
  }
}

/** What a target of a request asks for. */
interface Asked {
  readonly address: string;
  readonly path: string;
  readonly session: string;
}

/** Reads any spelling, as such sites do: by the parameters that they know. */
function readTarget(target: string): Asked {
  const { pathname, searchParams } = new URL(target, "http://site.invalid");
  const [whole = "", inPath] = decodeURIComponent(pathname).split(";jsessionid=");
  const path = whole.replace(/\/index\.(?:html|php)$/, "/");
  const params = ["board", "page", "thread"].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const session = inPath ?? searchParams.get("PHPSESSID") ?? openSession(target);
  return { address: addressOf({ path, params }), path, session };
}

/** A session id for a visitor who brings none. */
function openSession(target: string): string {
  return createHash("sha256").update(target).digest("hex").slice(0, 32);
}

function writePage(title: string, items: readonly string[]): string {
  return [
    "<!doctype html>",
    `<title>${escapeAmpersands(title)}</title>`,
    '<link rel="icon" href="data:,">',
    `<ul>${items.join("\n")}</ul>`,
  ].join("\n");
}

/** Escapes the one character of addresses and links that HTML takes for its own. */
function escapeAmpersands(text: string): string {
  return text.replaceAll("&", "&amp;");
}
