import type { MakePath } from "../path.ts";
import {
  dotSegments,
  internationalHosts,
  sortedParameters,
  tildes,
  unsortedParameters,
  upperCaseHosts,
} from "./hostile.ts";
import { crawlLines, crawlToSafe, crawlToSafeOfQueries, mixedLines, safeLines } from "./lines.ts";
import { fingerprints, single, strings } from "./strings.ts";

export const paths: readonly MakePath[] = [
  safeLines,
  mixedLines,
  crawlLines,
  crawlToSafe,
  crawlToSafeOfQueries,
  strings,
  fingerprints,
  single,
  upperCaseHosts,
  tildes,
  dotSegments,
  unsortedParameters,
  sortedParameters,
  internationalHosts,
];
