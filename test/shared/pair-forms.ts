import type { LearnRecord } from "../../src/learn/records/record.ts";
import { Random } from "./random.ts";

/** Makes the two paths and queries that software has for one page. */
type Form = (page: MadeUpPage) => readonly [string, string];

/** What the URLs of a page are made of. Numbers, ids and slugs are of one page each; the others come again. */
export interface MadeUpPage {
  readonly number: number;
  readonly slug: string;
  /** Ten capital letters and digits, as of a product. */
  readonly asin: string;
  /** Twelve hexadecimal digits. */
  readonly hex: string;
  /** Seven small letters and digits. */
  readonly id36: string;
  /** Letters alone. */
  readonly word: string;
  readonly section: string;
  readonly user: string;
  /** Year and month: `2024/05`. */
  readonly month: string;
}

/** The forms of pairs that software for sites has, by its name. */
export const PAIR_FORMS: Readonly<Record<string, Form>> = {
  Discourse: ({ number, slug }) => [`/t/${slug}/${number}`, `/t/${number}`],
  XenForo: ({ number, slug }) => [`/threads/${slug}.${number}/`, `/threads/${number}/`],
  "Stack Exchange": ({ number, slug }) => [`/questions/${number}/${slug}`, `/q/${number}`],
  vBSEO: ({ number, slug }) => [`/forum/${slug}-${number}.html`, `/showthread.php?t=${number}`],
  Amazon: ({ asin, slug }) => [`/${slug}/dp/${asin}`, `/dp/${asin}`],
  Shopify: ({ section, slug }) => [`/collections/${section}/products/${slug}`, `/products/${slug}`],
  Magento: ({ section, slug }) => [`/${section}/${slug}.html`, `/${slug}.html`],
  Medium: ({ user, slug, hex }) => [`/@${user}/${slug}-${hex}`, `/p/${hex}`],
  Reddit: ({ section, id36, slug }) => [
    `/r/${section}/comments/${id36}/${slug}/`,
    `/comments/${id36}`,
  ],
  "phpBB SEO": ({ number }) => [`/topic${number}.html`, `/viewtopic.php?t=${number}`],
  "topics with titles": ({ number, slug }) => [
    `/topics/${number}-${slug}.html`,
    `/t/${number}.html`,
  ],
  "WordPress archives": ({ number, slug }) => [`/archives/${number}/${slug}/`, `/?p=${number}`],
  Drupal: ({ number, slug }) => [`/${slug}-${number}`, `/node/${number}`],
  osCommerce: ({ number, slug }) => [
    `/${slug}-p-${number}.html`,
    `/product_info.php?products_id=${number}`,
  ],
  "dated permalinks": ({ month, slug }) => [`/${month}/${slug}/`, `/${slug}/`],
  "a story by its word": ({ word }) => [`/story?id=${word}`, `/story_${word}`],
  "; for &": ({ number, section }) => [
    `/view?id=${number};in=${section}`,
    `/view?id=${number}&in=${section}`,
  ],
  "a repeated parameter": ({ number }) => [`/view?id=${number}&id=${number}`, `/view?id=${number}`],
  "a space as + and %20": ({ slug }) => [
    `/search?q=${slug.replaceAll("-", "%20")}`,
    `/search?q=${slug.replaceAll("-", "+")}`,
  ],
  "an extension": ({ section, slug }) => [`/${section}/${slug}.html`, `/${section}/${slug}`],
  "an entry script": ({ section, slug }) => [
    `/index.php/${section}/${slug}`,
    `/${section}/${slug}`,
  ],
  "a language in query or path": ({ section, slug }) => [
    `/${section}/${slug}?lang=en`,
    `/en/${section}/${slug}`,
  ],
  "a print view": ({ number }) => [`/article/${number}/print`, `/article/${number}`],
  AMP: ({ section, slug }) => [`/${section}/${slug}/amp/`, `/${section}/${slug}/`],
  "a mobile prefix": ({ section, slug }) => [`/m/${section}/${slug}`, `/${section}/${slug}`],
  "an id in query or path": ({ number, slug }) => [
    `/article.php?id=${number}`,
    `/article/${number}-${slug}`,
  ],
  "a session": ({ number, hex }) => [`/view?id=${number}&sid=${hex}${hex}`, `/view?id=${number}`],
  MediaWiki: ({ word }) => [`/index.php?title=${word}`, `/wiki/${word}`],
  Joomla: ({ number, section, slug }) => [
    `/index.php?option=com_content&view=article&id=${number}`,
    `/${section}/${number}-${slug}`,
  ],
  MyBB: ({ number }) => [`/showthread.php?tid=${number}`, `/thread-${number}.html`],
  PrestaShop: ({ number, slug }) => [
    `/index.php?id_product=${number}&controller=product`,
    `/${number}-${slug}.html`,
  ],
  "an index file": ({ section, slug }) => [
    `/${section}/${slug}/index.html`,
    `/${section}/${slug}/`,
  ],
  "a forum beside the topic": ({ number, user }) => [
    `/viewtopic.php?f=${user.length}&t=${number}`,
    `/viewtopic.php?t=${number}`,
  ],
  YouTube: ({ asin }) => [`/watch?v=${asin}`, `/v/${asin}`],
};

const SECTIONS = ["garden", "kitchen", "travel", "music", "health", "science", "sport", "art"];
const USERS = ["ada", "grace", "edsger", "barbara", "donald", "alan", "radia"];
const PAIRS = 100;

/** The URLs of a made-up site: pairs that are known, pairs that come later, and other pages with one URL each. */
export interface PairSite {
  readonly known: readonly LearnRecord[];
  readonly later: readonly LearnRecord[];
}

/** Returns the site of a form. Its other pages have the numbers, words and folders of the pairs. */
export function pairSite(form: Form, seed = 7): PairSite {
  const random = new Random(seed);
  const pairs = (from: number) =>
    Array.from({ length: PAIRS }, (_, at) => {
      const page = madeUpPage(random, from + at);
      return form(page).map((target) => record(target, `page ${page.number}`));
    });
  const others = Array.from({ length: PAIRS }, (_, at) => {
    const { number, slug, section, word } = madeUpPage(random, at);
    const target = [
      `/users/${number}/`,
      `/help/${slug}`,
      `/tags/${word}`,
      `/list?page=${at}`,
      `/images/${section}/${number}`,
      `/search?q=${word}&page=${number}`,
    ][at % 6] as string;
    return record(target, `other ${target}`);
  });
  return { known: [...pairs(0).flat(), ...others], later: pairs(PAIRS).flat() };
}

function record(target: string, page: string): LearnRecord {
  return { url: `http://a.org${target}`, fp: `cls:${page}` };
}

function madeUpPage(random: Random, at: number): MadeUpPage {
  const letters = (length: number, of: string) =>
    Array.from({ length }, () => of[random.below(of.length)]).join("");
  const small = "abcdefghijklmnopqrstuvwxyz";
  const words = Array.from({ length: 2 + random.below(4) }, () =>
    letters(2 + random.below(8), small),
  );
  return {
    number: 1_000 + 17 * at,
    slug: words.join("-"),
    asin: `B${letters(9, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")}`,
    hex: letters(12, "0123456789abcdef"),
    id36: letters(7, `${small}0123456789`),
    word: letters(5 + random.below(7), small),
    section: SECTIONS[at % SECTIONS.length] as string,
    user: USERS[at % USERS.length] as string,
    month: `${2010 + random.below(15)}/${String(1 + random.below(12)).padStart(2, "0")}`,
  };
}
