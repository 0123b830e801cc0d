import { HEADER } from "./layout.ts";

/**
 * Numbers what rows become: normalized URLs, keys of web archives (url/urlkey), such keys with their `www.`, and of normalized
 * URLs the template or the host (url/template.ts).
 */
export const FORM = { url: 0, urlkey: 1, "urlkey-www": 2, template: 3, host: 4 } as const;

/** Names what rows become. */
export type RowForm = keyof typeof FORM;

/** Returns a copy of a plan whose rows become something else. */
export function planOfForm(plan: Uint8Array, form: RowForm): Uint8Array {
  const copy = Uint8Array.from(plan);
  copy[4 * HEADER.DEFAULT_SCHEME + 2] = FORM[form];
  return copy;
}
