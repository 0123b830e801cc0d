import { createHash } from "node:crypto";

/** A page of the site, under the one address that its links spell in many ways. */
export interface Page {
  /** The path, without session id and with `~` as it is. */
  readonly path: string;
  /** The parameters that choose the page, in the order that the site itself writes. */
  readonly params: readonly (readonly [name: string, value: string])[];
  /** The addresses of the pages that it links to. */
  readonly links: readonly string[];
}

/** Says how many pages of each kind a site has. */
export interface SiteSize {
  readonly sections: number;
  readonly boards: number;
  /** The pages that the list of each board has. */
  readonly listPages: number;
  readonly authors: number;
}

/** The site of the table: 360 pages. */
export const FULL_SITE: SiteSize = { sections: 11, boards: 6, listPages: 8, authors: 60 };
/** A site for tests that are slow for each page: 24 pages. */
export const SMALL_SITE: SiteSize = { sections: 3, boards: 1, listPages: 2, authors: 8 };

const THREADS_PER_LIST_PAGE = 5;

/** Returns the address of a page: its path and its parameters. */
export function addressOf({ path, params }: Pick<Page, "path" | "params">): string {
  const query = params.map((pair) => pair.join("=")).join("&");
  return query === "" ? path : `${path}?${query}`;
}

/**
 * Returns the pages of a forum by their addresses: its home, sections, lists of threads, threads and
 * authors. The list of a board is a chain of pages; threads and authors lead on to others.
 */
export function makePages(size: SiteSize): ReadonlyMap<string, Page> {
  const pages = [...homeAndSections(size), ...boards(size), ...authors(size)];
  return new Map(pages.map((page) => [addressOf(page), page]));
}

const section = (number: number): string => `/section/${number}/`;
const list = (board: number, page: number): string => `/list.php?board=${board}&page=${page}`;
const thread = (board: number, number: number): string =>
  `/thread.php?board=${board}&thread=${number}`;
const author = (number: number): string => `/~author${number}/`;

function homeAndSections(size: SiteSize): Page[] {
  const sections = count(size.sections);
  const first = (number: number): string => list(number % size.boards, 0);
  return [
    makePage("/", sections.map(section)),
    ...sections.map((number) => makePage(section(number), ["/", first(number), first(number + 1)])),
  ];
}

function boards(size: SiteSize): Page[] {
  return count(size.boards).flatMap((board) => [
    ...count(size.listPages).map((page) => {
      const first = page * THREADS_PER_LIST_PAGE;
      const threads = count(THREADS_PER_LIST_PAGE).map((row) => thread(board, first + row));
      const next = page + 1 < size.listPages ? [list(board, page + 1)] : [];
      return makePage(list(board, page), ["/", ...next, ...threads]);
    }),
    ...count(threadsOf(size)).map((number) => {
      const own = thread(board, number);
      const home = list(board, Math.floor(number / THREADS_PER_LIST_PAGE));
      const by = author(pick(`author of ${own}`, size.authors));
      return makePage(own, [home, by, anyThread(own, size)]);
    }),
  ]);
}

function authors(size: SiteSize): Page[] {
  return count(size.authors).map((number) => {
    const own = author(number);
    // Each author leads to the next, so that none is left out.
    const next = author((number + 1) % size.authors);
    return makePage(own, [next, anyThread(own, size), anyThread(`second of ${own}`, size), "/"]);
  });
}

/** A thread that depends on a text alone. */
function anyThread(text: string, size: SiteSize): string {
  const board = pick(`board for ${text}`, size.boards);
  return thread(board, pick(`thread for ${text}`, threadsOf(size)));
}

function threadsOf({ listPages }: SiteSize): number {
  return listPages * THREADS_PER_LIST_PAGE;
}

function makePage(address: string, links: readonly string[]): Page {
  const [path = "", query = ""] = address.split("?");
  const params = [...new URLSearchParams(query)];
  return { path, params, links: [...new Set(links)].filter((link) => link !== address) };
}

function count(limit: number): number[] {
  return Array.from({ length: limit }, (_, number) => number);
}

function pick(text: string, limit: number): number {
  return createHash("sha256").update(text).digest().readUInt32LE() % limit;
}
