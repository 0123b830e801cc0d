import type { NormalizerOptions } from "./options.ts";

/** What each preset sets; all else is as in `safe`. */
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
} as const satisfies Record<string, NormalizerOptions>;

export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];
