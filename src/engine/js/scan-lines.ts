import type { LoadedPlan } from "../../plan/decode.ts";
import {
  COLON,
  DOT,
  HASH,
  hasClass,
  hasNormalTriplet,
  LF,
  PLAIN_HOST,
  PLAIN_REST,
  SLASH,
} from "../../url/chars.ts";

/** What the scan does at a byte: walk on, look closer (`LOOK`), or leave the line to the exact path (`LEAVE`). */
const PLAIN = 0;
const LOOK = 1;
const LEAVE = 2;

const IN_HOST = kinds(PLAIN_HOST, "./");

const HTTP = codesOf("http");
const OPEN_PARENTHESIS = 0x28;
const FILE = codesOf("file://");
const LOCALHOST = codesOf("localhost/");
/** `s`. */
const S = 0x73;

/**
 * Finds lines of bytes that are http, https or file URLs in normal form, and that the plan leaves alone, by one look at
 * each byte. A line that it does not find may still be one: the exact path tells.
 */
export class LineScan {
  readonly #plan: LoadedPlan;
  readonly #inRest: Uint8Array;
  /** Whether the plan leaves any line alone that a look can tell. */
  readonly #finds: boolean;

  constructor(plan: LoadedPlan) {
    this.#plan = plan;
    const { rewrites, sparesPlain, schemes, siteRules } = plan;
    const passes = schemes === null || (schemes.has("http") && schemes.has("https"));
    this.#finds = siteRules === null && (!rewrites || (sparesPlain && passes));
    this.#inRest = rewrites ? kinds(PLAIN_REST, ".%(\n", "?;#") : kinds(PLAIN_REST, ".%#\n");
  }

  /** Returns where the LF of such a line stands that begins at `start`; -1 for any other line. */
  end(bytes: Uint8Array, start: number): number {
    if (!this.#finds) return -1;
    const host = hostStart(bytes, start);
    const path = host < 0 ? this.#filePath(bytes, start) : hostEnd(bytes, host);
    if (path < 0) return -1;
    const end = this.#restEnd(bytes, path + 1);
    return end - start > this.#plan.maxLength ? -1 : end;
  }

  /** The `/` that begins the path of a file URL; -1 for any other line, and where options may change it. */
  #filePath(bytes: Uint8Array, start: number): number {
    if (this.#plan.rewrites || !beginsWith(bytes, start, FILE)) return -1;
    const host = start + FILE.length;
    if (bytes[host] === SLASH) return host;
    return beginsWith(bytes, host, LOCALHOST) ? -1 : hostEnd(bytes, host);
  }

  #restEnd(bytes: Uint8Array, start: number): number {
    const inRest = this.#inRest;
    let hasFragment = false;
    for (let at = start; at < bytes.length; at++) {
      const code = bytes[at] as number;
      const kind = inRest[code];
      if (kind === PLAIN) continue;
      if (kind === LEAVE) return -1;
      if (code === LF) return at;
      if (code === HASH) {
        if (hasFragment) return -1;
        hasFragment = true;
      } else if (code === DOT || code === OPEN_PARENTHESIS) {
        if (bytes[at - 1] === SLASH) return -1;
      } else if (!hasNormalTriplet(bytes[at + 1], bytes[at + 2])) {
        return -1;
      }
    }
    return -1;
  }
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function beginsWith(bytes: Uint8Array, start: number, codes: readonly number[]): boolean {
  for (let at = 0; at < codes.length; at++) if (bytes[start + at] !== codes[at]) return false;
  return true;
}

/** After `http://` or `https://`; -1 for what begins otherwise. */
function hostStart(bytes: Uint8Array, start: number): number {
  if (!beginsWith(bytes, start, HTTP)) return -1;
  const colon = bytes[start + 4] === S ? start + 5 : start + 4;
  const hasSlashes =
    bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH;
  return hasSlashes ? colon + 3 : -1;
}

/** The `/` after a host of plain labels, the last of which begins with a letter; -1 for any other host. */
function hostEnd(bytes: Uint8Array, start: number): number {
  let label = start;
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at] as number;
    const kind = IN_HOST[code];
    if (kind === PLAIN) continue;
    if (kind === LEAVE) return -1;
    if (code === SLASH) return (bytes[label] as number) >= 0x61 ? at : -1;
    label = at + 1;
  }
  return -1;
}

/** What to do at each byte: walk on at those of the class `plain`, look closer at `look`, and leave at others and at `leave`. */
function kinds(plain: number, look: string, leave = ""): Uint8Array {
  const table = new Uint8Array(256).fill(LEAVE);
  for (let code = 0; code < 128; code++) if (hasClass(code, plain)) table[code] = PLAIN;
  for (const character of look) table[character.charCodeAt(0)] = LOOK;
  for (const character of leave) table[character.charCodeAt(0)] = LEAVE;
  return table;
}
