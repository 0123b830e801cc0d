import { createNormalizer, type NormalizerOptions } from "urlmill";
import type { Corpus } from "./corpus.ts";

/** Describes one way to do the work of a path on some URLs. */
export interface Contestant {
  readonly name: string;
  /** Counts the URLs of one run. Slow peers get fewer. */
  readonly urls: number;
  /** Prepares a run, untimed. */
  readonly before?: () => void;
  run(): void;
}

/** Describes what one row of the table measures. */
export interface Path {
  readonly name: string;
  /** Lists the contestants. The first is the WebAssembly engine, the second ours in JavaScript. */
  readonly contestants: readonly Contestant[];
  /** Names the contestant whose ratio to the first is watched, and the ratio that is the target. */
  readonly reference: string;
  readonly target: number;
  /** Explains the row in one sentence. */
  readonly note: string;
}

/** Describes another normalizer of single URLs, which a row shows in its note. */
export interface Peer {
  readonly name: string;
  readonly normalize: (url: string) => string;
}

/** Makes a path. `peers`: those that run on the platform. */
export type MakePath = (corpus: Corpus, peers: readonly Peer[]) => Path;

/** Makes a contestant that gets one string at a time. A refused URL costs its exception, as in a crawler. */
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

/** Returns the first `count` URLs, for slow contestants. */
export function few(urls: readonly string[], count = 5_000): readonly string[] {
  return urls.slice(0, count);
}

/** Makes contestants of both engines on lines: bytes in, bytes out, and no strings. */
export function lines(urls: readonly string[], options: NormalizerOptions): Contestant[] {
  const bytes = new TextEncoder().encode(`${urls.join("\n")}\n`);
  return (["wasm", "js"] as const).map((engine) => {
    const normalizer = createNormalizer({ ...options, engine });
    return whole(`urlmill ${engine}`, urls, () => normalizer.normalizeLines(bytes));
  });
}
