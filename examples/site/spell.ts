import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Page } from "./pages.ts";

/** Says where a link stands. */
export interface Place {
  /** The origin of the site, such as `http://localhost:8080`. */
  readonly origin: string;
  /** The path of the page that has the link. */
  readonly path: string;
  /** The session that the server has opened for who reads the page. */
  readonly session: string;
}

const CLICK_IDS = ["gclid", "fbclid", "msclkid", "yclid"];

/**
 * Returns a link to a page: its address in one of the spellings that links on the web have. Equal seeds
 * give equal spellings.
 */
export function spell(page: Page, place: Place, seed: string): string {
  const dice = createHash("sha256").update(seed).digest();
  const isOneIn = (face: number, chance: number): boolean => (dice[face] as number) % chance === 0;
  const hex = (first: number): string => dice.toString("hex", first, first + 6);

  let file = page.path;
  if (file.endsWith("/") && isOneIn(0, 4)) file += isOneIn(1, 2) ? "index.html" : "index.php";
  if (isOneIn(2, 4)) file = file.replace("~", "%7E");
  let path = isOneIn(3, 3) ? writeRelative(place.path, file) : file;
  const isRelative = path !== file;
  if (!isRelative && isOneIn(4, 4)) path = path.replace(/^\//, "/./old/../");

  const params = page.params.map((pair) => pair.join("="));
  if (isOneIn(5, 4)) path += `;jsessionid=${place.session}`;
  else if (isOneIn(6, 3)) params.push(`PHPSESSID=${place.session}`);
  if (isOneIn(7, 3)) params.push(`utm_source=mail&utm_campaign=${hex(20)}`);
  if (isOneIn(8, 5)) params.push(`${CLICK_IDS[(dice[9] as number) % 4]}=${hex(26)}`);
  if (isOneIn(10, 2)) params.reverse();

  const query = params.length > 0 ? `?${params.join("&")}` : isOneIn(11, 6) ? "?" : "";
  const fragment = isOneIn(12, 4) ? `#post${dice[13]}` : "";
  const origin = isRelative || isOneIn(14, 2) ? "" : spellOrigin(place.origin, isOneIn(15, 3));
  return origin + path + query + fragment;
}

/** The reference that leads from one path to another. */
function writeRelative(from: string, to: string): string {
  const reference = posix.relative(from.slice(0, from.lastIndexOf("/") + 1), to);
  if (to.endsWith("/")) return reference === "" ? "./" : `${reference}/`;
  return reference;
}

/** The origin as it is, or in upper case with a zero in front of the port. */
function spellOrigin(origin: string, isOdd: boolean): string {
  return isOdd ? origin.toUpperCase().replace(/:(\d+)$/, ":0$1") : origin;
}
