import type { StepName } from "../../../options/catalog.generated.ts";
import { STAGES } from "../../../options/stages.generated.ts";
import type { LoadedPlan, LoadedProfile } from "../../../plan/decode/decode.ts";
import { joinParts, type Parts, splitParts } from "../../../url/parts.ts";
import { defaultPort, isSpecial } from "../../../url/scheme.ts";

import { isTrackingFragment, keptFragment } from "./fragment.ts";
import { aliasOf, moveHost, profileOf, withoutFinalDots, withoutLabel } from "./host.ts";
import { PATH_END_STEPS, PATH_STEPS } from "./path.ts";
import { addEquals, leftParams, type Params, sortParams } from "./query.ts";

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
  rewriteParts(parts, plan, trace);
  return joinParts(parts);
}

function rewriteParts(parts: Parts, plan: LoadedPlan, trace: Trace | undefined): void {
  const isWeb = isSpecial(parts.scheme) && parts.scheme !== "file";
  if (isWeb) rewriteHost(parts, plan, trace);
  const profile = isWeb ? profileOf(parts.host, plan) : plan.profile;
  rewriteScheme(parts, profile, trace);
  if (profile.explicitPort === "remove" && parts.port !== "") {
    parts.port = "";
    trace?.("explicitPort", parts);
  }
  if (profile.userinfo === "remove" && parts.userinfo !== "") {
    parts.userinfo = "";
    trace?.("userinfo", parts);
  }
  const isHierarchical = parts.hasAuthority || parts.path.startsWith("/");
  if (isHierarchical && parts.path !== "") rewritePath(parts, profile, trace);
  if (isHierarchical && parts.query !== null) rewriteQuery(parts, profile, trace);
  if (parts.fragment !== null) rewriteFragment(parts, parts.fragment, profile, trace);
}

function rewriteHost(parts: Parts, plan: LoadedPlan, trace: Trace | undefined): void {
  for (;;) {
    const moved = moveHost(parts.host, plan);
    if (moved === null) return;
    const option =
      (aliasOf(parts.host, plan) ?? withoutLabel(parts.host, plan)) !== null
        ? "hostAliases"
        : moved === withoutFinalDots(parts.host)
          ? "trailingDot"
          : "www";
    parts.host = moved;
    trace?.(option, parts);
  }
}

/** Writes the scheme for http and https only. Removes the port that the new scheme implies. */
function rewriteScheme(parts: Parts, { scheme }: LoadedProfile, trace: Trace | undefined): void {
  if (scheme === "keep" || scheme === parts.scheme) return;
  if (parts.scheme !== "http" && parts.scheme !== "https") return;
  parts.scheme = scheme;
  if (parts.port === `:${defaultPort(scheme)}`) parts.port = "";
  trace?.("scheme", parts);
}

function rewritePath(parts: Parts, profile: LoadedProfile, trace: Trace | undefined): void {
  const run = (steps: typeof PATH_STEPS) => {
    for (const { step, change } of steps) {
      const path = change(parts.path, profile, parts.scheme);
      if (path === parts.path) continue;
      parts.path = path;
      trace?.(step, parts);
    }
  };
  run(PATH_STEPS);
  for (let before = ""; before !== parts.path; ) {
    before = parts.path;
    run(PATH_END_STEPS);
  }
}

function rewriteQuery(parts: Parts, profile: LoadedProfile, trace: Trace | undefined): void {
  const query = parts.query as string;
  let params: Params = [];
  /** Takes the parameters after a step; returns whether any is left. If a step removes the last one, the `?` goes too. */
  const step = (option: StepName, after: Params): boolean => {
    params = after;
    const text = after.join("&");
    if (text === parts.query) return true;
    parts.query = text === "" ? null : text;
    trace?.(option, parts);
    return text !== "";
  };
  if (query !== "") {
    const all = STAGES.params.length;
    for (let steps = trace === undefined ? all : 1; steps <= all; steps++) {
      const left = leftParams(query, profile, steps);
      if (steps < all && !leadsTo(left, query, profile)) continue;
      if (!step(STAGES.params[steps - 1] as StepName, left)) return;
    }
    step("valuelessParams", addEquals(params, profile));
    step("sortQuery", sortParams(params, profile));
  }
  if (parts.query === "" && profile.emptyQuery === "remove") {
    parts.query = null;
    trace?.("emptyQuery", parts);
  }
}

/**
 * Returns whether `left`, what some steps of the stage `params` left of a query, leads to the same result as the query if all
 * steps work on it. `explain` shows only such URLs. `CFID` is removed only if the query has `CFTOKEN`, too. If an early step
 * has removed `CFTOKEN`, a `CFID` that follows a `;` would stay.
 */
function leadsTo(left: Params, query: string, profile: LoadedProfile): boolean {
  if (!query.includes(";")) return true;
  const [result, again] = [query, left.join("&")].map((text) =>
    leftParams(text, profile, STAGES.params.length).join("&"),
  );
  return result === again;
}

function rewriteFragment(
  parts: Parts,
  fragment: string,
  profile: LoadedProfile,
  trace: Trace | undefined,
): void {
  const kept = keptFragment(fragment, profile);
  if (kept !== fragment) {
    parts.fragment = kept;
    trace?.("fragment", parts);
  }
  if (profile.trackingParams === "remove" && kept !== null && isTrackingFragment(kept)) {
    parts.fragment = null;
    trace?.("trackingParams", parts);
  }
}
