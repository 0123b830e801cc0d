/** Holds a URL in normal form and the class of its page. */
export interface Labelled {
  readonly url: string;
  readonly page: string;
}

/** Rewrites URLs as the rules of a paper do. */
export interface Rewriter {
  readonly rules: number;
  readonly rewrite: (url: string) => string;
}

/** Holds one rule: what it makes of a URL, or null where it does not apply. */
export interface PaperRule {
  readonly apply: (url: string) => string | null;
  readonly support: number;
}

/** What known URLs say of a rule. */
export interface Verdict {
  readonly right: number;
  readonly wrong: number;
}

/** Lists the pages of known URLs by their URLs, the shortest first, as far as they have two or more. */
export function clustersOf(known: readonly Labelled[]): string[][] {
  const clusters = new Map<string, string[]>();
  for (const { url, page } of known) addMember(clusters, page, url);
  return [...clusters.values()].filter(({ length }) => length > 1).map((urls) => urls.sort(byText));
}

/** Adds a member to the list of a key. */
export function addMember<Key, Member>(lists: Map<Key, Member[]>, key: Key, member: Member): void {
  const own = lists.get(key);
  if (own === undefined) lists.set(key, [member]);
  else own.push(member);
}

/** Orders the shortest first, then by their bytes. */
export function byText(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a === b ? 0 : 1);
}

/** Takes up to `count` members of a list, at even distances. */
export function sample<Member>(members: readonly Member[], count: number): Member[] {
  if (members.length <= count) return [...members];
  return Array.from(
    { length: count },
    (_, at) => members[Math.floor((at * members.length) / count)] as Member,
  );
}

/**
 * Judges a rule by known URLs: those that it makes one, and the known URL that it makes them. Of each group that it makes, the
 * page that most have is right. `candidates` are the URLs that it may change.
 */
export function judge(
  candidates: readonly string[],
  pageOf: ReadonlyMap<string, string>,
  apply: PaperRule["apply"],
): Verdict {
  const groups = new Map<string, string[]>();
  for (const url of candidates) {
    const made = apply(url);
    if (made === null || made === url) continue;
    addMember(groups, made, url);
  }
  let [right, wrong] = [0, 0];
  for (const [made, urls] of groups) {
    const isThere = pageOf.has(made) && (apply(made) ?? made) === made;
    const counts = new Map<string, number>();
    for (const url of isThere ? [made, ...urls] : urls) {
      const page = pageOf.get(url) as string;
      counts.set(page, (counts.get(page) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    right += most - 1;
    wrong += urls.length + Number(isThere) - most;
  }
  return { right, wrong };
}

/** Returns the pages of known URLs. */
export function pagesOf(known: readonly Labelled[]): Map<string, string> {
  return new Map(known.map(({ url, page }) => [url, page]));
}

/** Applies the first rule that changes a URL, again and again, at most ten times. */
export function rewriterOf(
  rules: readonly PaperRule[],
  rulesFor: (url: string) => readonly PaperRule[] = () => rules,
): Rewriter {
  const step = (url: string): string => {
    for (const { apply } of rulesFor(url)) {
      const made = apply(url);
      if (made !== null && made !== url) return made;
    }
    return url;
  };
  const rewrite = (url: string): string => {
    let own = url;
    for (let times = 0; times < 10; times++) {
      const made = step(own);
      if (made === own) break;
      own = made;
    }
    return own;
  };
  return { rules: rules.length, rewrite };
}
