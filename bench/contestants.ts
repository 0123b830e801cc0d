import fastUri from "fast-uri";
import normalizeUrl from "normalize-url";
import { createNormalizer } from "urlmill";
import type { Corpus } from "./corpus.ts";

/** One way to normalize a corpus from beginning to end. */
export interface Contestant {
  readonly name: string;
  run(): void;
}

/** A URL that is refused costs its exception and counts as done, as a crawler would have it. */
function each(urls: readonly string[], normalize: (url: string) => string): void {
  for (const url of urls) {
    try {
      normalize(url);
    } catch {}
  }
}

export function contestants({ bytes, urls }: Corpus): Contestant[] {
  const wasm = createNormalizer({ engine: "wasm" });
  const js = createNormalizer({ engine: "js" });
  return [
    { name: "urlmill wasm, lines (bytes to bytes)", run: () => void wasm.normalizeLines(bytes) },
    { name: "urlmill wasm, strings", run: () => void wasm.normalizeBatch(urls) },
    { name: "urlmill js, lines (bytes to bytes)", run: () => void js.normalizeLines(bytes) },
    { name: "urlmill js, strings", run: () => void js.normalizeBatch(urls) },
    { name: "new URL().href", run: () => each(urls, (url) => new URL(url).href) },
    { name: "fast-uri normalize", run: () => each(urls, (url) => fastUri.normalize(url)) },
    { name: "normalize-url", run: () => each(urls, (url) => normalizeUrl(url)) },
  ];
}
