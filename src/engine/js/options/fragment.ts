import { TRACKING_FRAGMENTS } from "../../../base/lists/tracking-params.ts";
import type { LoadedProfile } from "../../../plan/decode/decode.ts";
import { nextParam } from "./next-param.ts";

/**
 * Returns what the option `fragment` leaves of a fragment, without its `#`; null if the `#` goes
 * too.
 */
export function keptFragment(text: string, { fragment }: LoadedProfile): string | null {
  switch (fragment) {
    case "keep":
      return text;
    case "remove":
      return null;
    case "remove-empty":
      return text === "" ? null : text;
    case "keep-route":
      return text.startsWith("!") || text.startsWith("/") ? withoutDirective(text) : null;
    case "remove-text":
      return text.startsWith(DIRECTIVE) ? null : withoutDirective(text);
  }
}

/** Begins a fragment directive (WICG "Scroll to text fragment", fragment directive delimiter). */
const DIRECTIVE = ":~:";

function withoutDirective(text: string): string {
  const at = text.indexOf(DIRECTIVE);
  return at < 0 ? text : text.slice(0, at);
}

/** Returns whether a fragment holds only parameters that mark a campaign or a visit, after `&` or `;`. */
export function isTrackingFragment(text: string): boolean {
  return text.split("&").every((piece) => {
    for (let param: string | null = piece; param !== null; param = nextParam(param, 0)) {
      if (!isTrackingParam(param)) return false;
    }
    return true;
  });
}

function isTrackingParam(param: string): boolean {
  const equals = param.indexOf("=");
  const name = param.slice(0, equals).toLowerCase();
  return equals > 0 && TRACKING_FRAGMENTS.some((listed) => matches(name, listed));
}

function matches(name: string, listed: string): boolean {
  return listed.endsWith("*") ? name.startsWith(listed.slice(0, -1)) : name === listed;
}
