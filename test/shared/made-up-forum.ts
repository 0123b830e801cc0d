import type { LearnRecord } from "../../src/learn/records/record.ts";
import { Random } from "./random.ts";

/** What a made-up forum in the way of SMF has: links to messages lead to pages of topics. */
export interface ForumShape {
  readonly topics: number;
  /** Topics with two to five pages, of a hundred. */
  readonly several: number;
  /** Whether the pages of all topics were fetched before; if not, half of them were. */
  readonly pagesKnown: boolean;
  readonly seed?: number;
}

/** Returns the URLs of a forum that were fetched, and those that arrive later: half of the messages. */
export function madeUpForum({ topics, several, pagesKnown, seed = 5 }: ForumShape): {
  known: LearnRecord[];
  arriving: LearnRecord[];
} {
  const random = new Random(seed);
  const known: LearnRecord[] = [];
  const arriving: LearnRecord[] = [];
  let message = 1_000_000;
  for (let topic = 0; topic < topics; topic++) {
    const isLong = random.below(100) < several;
    const pages = isLong ? 2 + random.below(4) : 1;
    const add = (page: number, end: string, isKnown: boolean): void => {
      const url = `https://f.org/index.php?topic=${7 * topic}.${end}`;
      (isKnown ? known : arriving).push({ url, fp: `cls:${topic}/${page}` });
    };
    for (let page = 0; page < pages; page++) {
      add(page, String(20 * page), pagesKnown || random.chance(2));
    }
    const messages = isLong ? 4 + random.below(8) : 1 + random.below(4);
    for (let at = 0; at < messages; at++) {
      add(random.below(pages), `msg${message++}`, random.chance(2));
    }
  }
  return { known, arriving };
}
