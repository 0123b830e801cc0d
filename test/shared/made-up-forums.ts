import type { LearnRecord } from "../../src/learn/records/record.ts";
import { Random } from "./random.ts";

/** URLs of made-up sites: those that were fetched, and those that arrive later. */
export interface MadeUpCrawl {
  readonly known: LearnRecord[];
  readonly arriving: LearnRecord[];
}

/** The forum whose topics are numbered in each board, so that `f` selects what one reads. */
export const DEVIATING = "forum0.org";

/**
 * Returns small forums in the way of phpBB, of which half of the URLs are known. A topic has one page
 * with and without its board `f`, a session `sid` or words to highlight; the pages to answer a topic,
 * and those of members, are the login.
 */
export function madeUpForums(forums: number, seed = 7): MadeUpCrawl {
  const random = new Random(seed);
  const crawl: MadeUpCrawl = { known: [], arriving: [] };
  for (let forum = 0; forum < forums; forum++) {
    const host = `forum${forum}.org`;
    for (const [target, page] of forumOf(random, host === DEVIATING)) {
      const record = { url: `http://${host}${target}`, fp: `cls:${host} ${page}` };
      (random.chance(2) ? crawl.known : crawl.arriving).push(record);
    }
  }
  return crawl;
}

/** Returns the pages of one forum by path and query. */
function forumOf(random: Random, isDeviating: boolean): Map<string, string> {
  const pages = new Map<string, string>();
  const isOften = (percent: number): boolean => random.below(100) < percent;
  const sids = Array.from({ length: 4 }, () =>
    Array.from({ length: 32 }, () => random.below(16).toString(16)).join(""),
  );
  const session = (percent: number) => (isOften(percent) ? `&sid=${random.pick(sids)}` : "");
  const boards = 2 + random.below(3);
  for (let f = 1; f <= boards; f++) {
    const board = `/viewforum.php?f=${f}`;
    pages.set(board, `f${f}`);
    if (isOften(50)) pages.set(`${board}&start=0`, `f${f}`);
    if (isOften(60)) pages.set(`${board}&sid=${random.pick(sids)}`, `f${f}`);
  }
  const topics = 18 + random.below(18);
  for (let topic = 1; topic <= topics; topic++) {
    const f = 1 + random.below(boards);
    const t = isDeviating ? 1 + (topic % 12) : topic;
    const page = isDeviating ? `t${f}/${t}` : `t${t}`;
    for (const start of isOften(20) ? ["", "&start=15"] : [""]) {
      pages.set(`/viewtopic.php?f=${f}&t=${t}${start}`, page + start);
      // Without its board, the other forum shows the topic of the first.
      const short = isDeviating ? `t1/${t}` : page;
      if (isOften(50)) pages.set(`/viewtopic.php?t=${t}${start}`, short + start);
      const own = `/viewtopic.php?f=${f}&t=${t}${start}`;
      if (isOften(40)) pages.set(`${own}&sid=${random.pick(sids)}`, page + start);
      if (isOften(15)) pages.set(`${own}&hilit=word${random.below(9)}`, page + start);
      if (isOften(20)) pages.set(`${own}&view=print`, `${page}${start} print`);
    }
    if (isOften(50)) pages.set(`/posting.php?mode=reply&f=${f}&t=${t}${session(20)}`, "login");
  }
  for (let u = 2; u < 4 + topics / 3; u++) {
    pages.set(`/memberlist.php?mode=viewprofile&u=${u}${session(20)}`, "denied");
  }
  return pages;
}
