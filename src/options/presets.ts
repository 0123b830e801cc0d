import type { DefaultScheme } from "../plan/compiled-options.ts";
import type { Choices } from "../plan/profile.ts";

/** The options that presets set. */
interface PresetValues extends Partial<Choices> {
  readonly schemes?: readonly DefaultScheme[];
  readonly directoryIndex?: true;
}

/** Lists what each preset sets; every other option is as in `safe` (`urlmill help options`). */
export const PRESETS = {
  safe: {},
  crawl: {
    schemes: ["http", "https"],
    trailingDot: "remove",
    sessionIds: "remove",
    trackingParams: "remove",
    emptyParams: "remove",
    sortQuery: "name",
    emptyQuery: "remove",
    fragment: "remove",
  },
  c14n: {
    duplicateSlashes: "collapse",
    emptyParams: "remove",
    valuelessParams: "add-equals",
    sortQuery: "name-value",
    emptyQuery: "remove",
  },
  aggressive: {
    schemes: ["http", "https"],
    scheme: "https",
    trailingDot: "remove",
    www: "remove",
    userinfo: "remove",
    sessionIds: "remove",
    duplicateSlashes: "collapse",
    directoryIndex: true,
    trailingSlash: "remove",
    trackingParams: "remove",
    emptyParams: "remove",
    valuelessParams: "add-equals",
    sortQuery: "name",
    emptyQuery: "remove",
    fragment: "remove",
  },
} as const satisfies Record<string, PresetValues>;

/** Names a preset: `safe`, `crawl`, `c14n` or `aggressive`. */
export type PresetName = keyof typeof PRESETS;
/** Lists the names of the presets. */
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
