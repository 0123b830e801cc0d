import { createNormalizer, type NormalizerOptions } from "urlmill";
import type { Corpus } from "./corpus.ts";

/** One way to do the work of a path on some URLs. */
export interface Contestant {
  readonly name: string;
  /** URLs of one run: slow peers get fewer. */
  readonly urls: number;
  /** What comes before a run and is not timed. */
  readonly before?: () => void;
  run(): void;
}

/** What one row of the table measures. */
export interface Path {
  readonly name: string;
  /** The contestants; the first is the WebAssembly engine, the second ours in JavaScript. */
  readonly contestants: readonly Contestant[];
  /** Of whom the ratio to the first is watched, and the ratio that is asked for. */
  readonly reference: string;
  readonly target: number;
  /** One sentence for who reads the table. */
  readonly note: string;
}

/** Another normalizer of one URL, which a row shows in its note. */
export interface Peer {
  readonly name: string;
  readonly normalize: (url: string) => string;
}

/** `peers`: those that run on the platform. */
export type MakePath = (corpus: Corpus, peers: readonly Peer[]) => Path;

/** Contestants whose URLs are strings; a URL that is refused costs its exception, as a crawler pays it. */
export function each(
  name: string,
  urls: readonly string[],
  normalize: (url: string) => unknown,
): Contestant {
  const run = (): void => {
    for (const url of urls) {
      try {
        normalize(url);
      } catch {}
    }
  };
  return { name, urls: urls.length, run };
}

export function whole(name: string, urls: readonly string[], run: () => unknown): Contestant {
  return { name, urls: urls.length, run: () => void run() };
}

/** The first so many: what slow contestants are given. */
export function few(urls: readonly string[], count = 5_000): readonly string[] {
  return urls.slice(0, count);
}

/** Both engines on lines: bytes in, bytes out, and no string is ever made. */
export function lines(urls: readonly string[], options: NormalizerOptions): Contestant[] {
  const bytes = new TextEncoder().encode(`${urls.join("\n")}\n`);
  return (["wasm", "js"] as const).map((engine) => {
    const normalizer = createNormalizer({ ...options, engine });
    return whole(`urlmill ${engine}`, urls, () => normalizer.normalizeLines(bytes));
  });
}
