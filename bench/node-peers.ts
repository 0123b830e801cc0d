import { normalizeUrl as apifyNormalizeUrl } from "@apify/utilities";
import fastUri from "fast-uri";
import normalizeUrl from "normalize-url";
import type { Peer } from "./path.ts";

/** Calls the normalizers of other packages as their users do. */
export const nodePeers: readonly Peer[] = [
  { name: "fast-uri normalize", normalize: (url) => fastUri.normalize(url) },
  { name: "normalize-url", normalize: (url) => normalizeUrl(url) },
  { name: "@apify/utilities", normalize: (url) => apifyNormalizeUrl(url, false) ?? "" },
];
