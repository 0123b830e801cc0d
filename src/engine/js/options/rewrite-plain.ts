import type { LoadedPlan, LoadedProfile } from "../../../plan/decode/decode.ts";
import { isTrackingFragment, keptFragment } from "./fragment.ts";
import { IN_DOUBT, rewriteByNames } from "./query-by-names.ts";

/**
 * Applies the options to a normalized URL as `rewrite` does, as far as one look at each parameter can tell.
 * The URL is an http, https or file URL without userinfo and port, whose host `normalEnd` passes. Returns
 * null if its scheme does not pass, and `IN_DOUBT` if a closer look is needed.
 */
export function rewritePlain(url: string, plan: LoadedPlan): string | null | typeof IN_DOUBT {
  if (!plan.rewrites) return url;
  if (plan.schemes !== null && !plan.schemes.has(schemeOf(url))) return null;
  if (!plan.plainUnaffected) return IN_DOUBT;
  const { profile } = plan;
  const hash = url.indexOf("#");
  const end = hash < 0 ? url.length : hash;
  if (mayHoldSession(url, end)) return IN_DOUBT;
  const question = url.indexOf("?");
  const hasQuery = question >= 0 && question < end;
  const query = hasQuery ? rewriteByNames(url, question + 1, end, profile) : true;
  if (query === IN_DOUBT) return IN_DOUBT;
  const fragment = hash < 0 ? null : fragmentOf(url.slice(hash + 1), profile);
  const rest = fragment === null ? "" : `#${fragment}`;
  if (query === true) {
    return rest.length === url.length - end ? url : url.slice(0, end) + rest;
  }
  return query === null ? url.slice(0, question) + rest : url.slice(0, question + 1) + query + rest;
}

/** Returns the scheme as a literal, whose hash is known. A slice would be hashed at each look-up. */
function schemeOf(url: string): string {
  if (url.startsWith("https")) return "https";
  return url.startsWith("http") ? "http" : "file";
}

/** Returns whether a path or query holds a `;` or a `/(`. */
function mayHoldSession(url: string, end: number): boolean {
  const semicolon = url.indexOf(";");
  if (semicolon >= 0 && semicolon < end) return true;
  return url.includes("(") && url.includes("/(");
}

function fragmentOf(text: string, profile: LoadedProfile): string | null {
  const kept = keptFragment(text, profile);
  const drops = kept !== null && profile.trackingParams === "remove" && isTrackingFragment(kept);
  return drops ? null : kept;
}
