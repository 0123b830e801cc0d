import type { StepName } from "../../../options/catalog.generated.ts";
import type { LoadedPlan, LoadedProfile } from "../../../plan/decode/decode.ts";
import { joinParts, type Parts, splitParts } from "../../../url/parts.ts";
import { defaultPort, isSpecial } from "../../../url/scheme.ts";

import { isTrackingFragment, keptFragment } from "./fragment.ts";
import { aliasOf, moveHost, profileOf, withoutFinalDots } from "./host.ts";
import {
  collapseSlashes,
  dropIndex,
  dropPathSession,
  lowerPath,
  setTrailingSlash,
} from "./path.ts";
import {
  addEquals,
  dropDefaults,
  dropEmpty,
  dropEmptyValues,
  dropNamed,
  dropRepeated,
  dropSession,
  dropTracking,
  keepNamed,
  lowerParams,
  type Params,
  sortParams,
} from "./query.ts";

/** Is called after each step that changed the URL, with the option to which the step belongs. */
export type Trace = (option: StepName, parts: Parts) => void;

/**
 * Applies the options (docs/spec.md 4) to a normalized URL; returns null if its scheme does not
 * pass.
 */
export function rewrite(url: string, plan: LoadedPlan, trace?: Trace): string | null {
  if (!plan.rewrites) return url;
  const parts = splitParts(url);
  if (plan.schemes !== null && !plan.schemes.has(parts.scheme)) return null;
  rewriteParts(parts, plan, trace ?? (() => {}));
  return joinParts(parts);
}

function rewriteParts(parts: Parts, plan: LoadedPlan, trace: Trace): void {
  const isWeb = isSpecial(parts.scheme) && parts.scheme !== "file";
  if (isWeb) rewriteHost(parts, plan, trace);
  const profile = isWeb ? profileOf(parts.host, plan) : plan.profile;
  rewriteScheme(parts, profile, trace);
  if (profile.explicitPort === "remove" && parts.port !== "") {
    parts.port = "";
    trace("explicitPort", parts);
  }
  if (profile.userinfo === "remove" && parts.userinfo !== "") {
    parts.userinfo = "";
    trace("userinfo", parts);
  }
  const isHierarchical = parts.hasAuthority || parts.path.startsWith("/");
  if (isHierarchical && parts.path !== "") rewritePath(parts, profile, trace);
  if (isHierarchical && parts.query !== null) rewriteQuery(parts, profile, trace);
  if (parts.fragment !== null) rewriteFragment(parts, parts.fragment, profile, trace);
}

function rewriteHost(parts: Parts, plan: LoadedPlan, trace: Trace): void {
  for (;;) {
    const moved = moveHost(parts.host, plan);
    if (moved === null) return;
    const option =
      aliasOf(parts.host, plan) !== null
        ? "hostAliases"
        : moved === withoutFinalDots(parts.host)
          ? "trailingDot"
          : "www";
    parts.host = moved;
    trace(option, parts);
  }
}

/** Writes the scheme for http and https only. Removes the port that the new scheme implies. */
function rewriteScheme(parts: Parts, { scheme }: LoadedProfile, trace: Trace): void {
  if (scheme === "keep" || scheme === parts.scheme) return;
  if (parts.scheme !== "http" && parts.scheme !== "https") return;
  parts.scheme = scheme;
  if (parts.port === `:${defaultPort(scheme)}`) parts.port = "";
  trace("scheme", parts);
}

function rewritePath(parts: Parts, profile: LoadedProfile, trace: Trace): void {
  const step = (option: StepName, path: string) => {
    if (path === parts.path) return;
    parts.path = path;
    trace(option, parts);
  };
  if (profile.sessionIds === "remove")
    step("sessionIds", dropPathSession(parts.path, parts.scheme));
  step("case", lowerPath(parts.path, profile));
  step("duplicateSlashes", collapseSlashes(parts.path, profile));
  for (let before = ""; before !== parts.path; ) {
    before = parts.path;
    step("directoryIndex", dropIndex(parts.path, profile));
    step("trailingSlash", setTrailingSlash(parts.path, parts.scheme, profile));
  }
}

const QUERY_STEPS: readonly [StepName, (params: Params, profile: LoadedProfile) => Params][] = [
  ["sessionIds", dropSession],
  ["case", lowerParams],
  ["keepParams", keepNamed],
  ["dropParams", dropNamed],
  ["trackingParams", dropTracking],
  ["defaultParams", dropDefaults],
  ["emptyParams", dropEmpty],
  ["emptyValues", dropEmptyValues],
  ["repeatedParams", dropRepeated],
  ["valuelessParams", addEquals],
  ["sortQuery", sortParams],
];

function rewriteQuery(parts: Parts, profile: LoadedProfile, trace: Trace): void {
  let params: Params = (parts.query as string).split("&");
  if (parts.query !== "") {
    for (const [option, apply] of QUERY_STEPS) {
      const before = params;
      params = apply(params, profile);
      if (params === before) continue;
      const query = params.join("&");
      if (query === parts.query) continue;
      // If a step removes the last parameter, the `?` goes too.
      parts.query = query === "" ? null : query;
      trace(option, parts);
      if (query === "") return;
    }
  }
  if (parts.query === "" && profile.emptyQuery === "remove") {
    parts.query = null;
    trace("emptyQuery", parts);
  }
}

function rewriteFragment(
  parts: Parts,
  fragment: string,
  profile: LoadedProfile,
  trace: Trace,
): void {
  const kept = keptFragment(fragment, profile);
  if (kept !== fragment) {
    parts.fragment = kept;
    trace("fragment", parts);
  }
  if (profile.trackingParams === "remove" && kept !== null && isTrackingFragment(kept)) {
    parts.fragment = null;
    trace("trackingParams", parts);
  }
}
