import { createHash } from "node:crypto";
import { expect } from "vitest";
import { SEARCH_SCRIPT } from "../../src/runs/report/search.ts";

/** Returns a report without its search, after a check that its policy lets only this script run. */
export function withoutSearch(page: string): string {
  const hash = createHash("sha256").update(SEARCH_SCRIPT).digest("base64");
  expect(page).toContain(`script-src 'sha256-${hash}'">`);
  const script = `<script>${SEARCH_SCRIPT}</script>`;
  expect(page.split(script)).toHaveLength(2);
  return page.replace(script, () => "");
}
