import type { NormalizerOptions, PresetName } from "../options/catalog.generated.ts";
import { defined } from "../options/options.ts";

/** Holds the options of keys. */
export interface UniqueKeyOptions extends Omit<NormalizerOptions, "preset"> {
  /**
   * Names the preset whose values the other options begin with, or `"crawlee"` for the keys of Crawlee 3.
   *
   * @default "crawl"
   */
  readonly preset?: PresetName | "crawlee";
}

const CRAWLEE_OPTIONS = {
  trailingSlash: "remove",
  dropParams: ["utm_*"],
  emptyParams: "remove",
  valuelessParams: "add-equals",
  sortQuery: "name",
  emptyQuery: "remove",
  fragment: "remove",
} as const satisfies NormalizerOptions;

/** Returns the options of the URLs that `crawleeSpelling` writes as Crawlee's keys. Given options win. */
export function crawleeOptions(given: Omit<NormalizerOptions, "preset">): NormalizerOptions {
  return { ...CRAWLEE_OPTIONS, ...defined(given) };
}
