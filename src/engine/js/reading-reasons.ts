import type { Base } from "../../url/base.ts";
import {
  BACKSLASH,
  DOT,
  FRAGMENT,
  hasClass,
  hexValue,
  PATH,
  PERCENT,
  QUESTION,
  SPECIAL_QUERY,
  tripletValue,
  UNRESERVED,
  ZERO,
} from "../../url/chars.ts";
import { findAuthorityEnd, findPathEnd } from "../../url/hierarchy.ts";
import { splitParts } from "../../url/parts.ts";
import { isSlash } from "../../url/path/path.ts";
import { defaultPort, isSpecial, schemeEnd } from "../../url/scheme.ts";
import type { ReasonNotes } from "../reasons.ts";

/**
 * Notes which rules of sections 2 and 3 made `written` from a URL or reference. The text has no surrounding
 * space and no TAB, LF and CR. It compares the two texts, component by component.
 */
export function noteReading(
  text: string,
  base: Base | null,
  written: string,
  notes: ReasonNotes,
): void {
  if (text === written) return;
  const colon = schemeEnd(text);
  if (colon < 0) {
    notes.note("base");
    return;
  }
  const scheme = text.slice(0, colon).toLowerCase();
  if (!isSpecial(scheme) || scheme === "file") {
    notes.noteUntold();
    return;
  }
  const rest = colon + 1;
  if (scheme === base?.scheme && !text.startsWith("//", rest)) {
    notes.noteUntold();
    return;
  }
  if (!text.startsWith(scheme)) notes.note("schemeCase");
  let authority = rest;
  while (authority < text.length && isSlash(text.charCodeAt(authority), true)) authority++;
  if (authority - rest !== 2 || !text.startsWith("//", rest)) notes.note("slashes");
  const authorityEnd = findAuthorityEnd(text, authority, true);
  noteAuthority(text.slice(authority, authorityEnd), written, notes);
  const pathEnd = findPathEnd(text, authorityEnd);
  if (authorityEnd === pathEnd) notes.note("emptyPath");
  notePath(text, authorityEnd, pathEnd, notes);
  const hash = text.indexOf("#", pathEnd);
  const queryEnd = hash < 0 ? text.length : hash;
  if (text.charCodeAt(pathEnd) === QUESTION)
    noteComponent(text, pathEnd + 1, queryEnd, SPECIAL_QUERY, notes);
  if (hash >= 0) noteComponent(text, hash + 1, text.length, FRAGMENT, notes);
}

function noteAuthority(authority: string, written: string, notes: ReasonNotes): void {
  const { scheme, userinfo, host } = splitParts(written);
  const hostStart = authority.lastIndexOf("@") + 1;
  if (authority.slice(0, hostStart) !== (userinfo === "" ? "" : `${userinfo}@`))
    notes.note("userinfo");
  const portStart = findPort(authority, hostStart);
  const given = authority.slice(hostStart, portStart);
  const lower = lowerHost(given);
  if (lower !== given) notes.note("hostCase");
  if (lower !== host) notes.note("host");
  notePort(authority.slice(portStart), defaultPort(scheme), notes);
}

/** Returns the `:` after a host, which may be in brackets, or the end. */
function findPort(authority: string, hostStart: number): number {
  const bracket = authority[hostStart] === "[" ? authority.indexOf("]", hostStart) : hostStart;
  const port = authority.indexOf(":", bracket);
  return port < 0 ? authority.length : port;
}

/** Returns a host with its letters in lower case, but not the digits of its triplets. */
function lowerHost(host: string): string {
  let lower = "";
  for (let at = 0; at < host.length; ) {
    const length = tripletValue(host, at, host.length) < 0 ? 1 : 3;
    const text = host.slice(at, at + length);
    lower += length === 1 && text >= "A" && text <= "Z" ? text.toLowerCase() : text;
    at += length;
  }
  return lower;
}

/** Notes the reasons of a port; `port` is empty or a `:` and digits. */
function notePort(port: string, implied: string | undefined, notes: ReasonNotes): void {
  if (port === "") return;
  if (port.length === 1) {
    notes.note("emptyPort");
    return;
  }
  if (port.length > 2 && port.charCodeAt(1) === ZERO) notes.note("port");
  if (Number(port.slice(1)) === Number(implied)) notes.note("defaultPort");
}

function notePath(text: string, start: number, end: number, notes: ReasonNotes): void {
  noteComponent(text, start, end, PATH, notes);
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) notes.note("slashes");
    if (isSlash(code, true) && isDotSegment(text, at + 1, end)) notes.note("dotSegments");
  }
}

/** Returns whether the segment at `start` is one dot or two, as triplets or not. */
function isDotSegment(text: string, start: number, end: number): boolean {
  let at = start;
  for (let dots = 0; dots < 2; dots++) {
    const length = dotLength(text, at, end);
    if (length === 0) return false;
    at += length;
    if (at === end || isSlash(text.charCodeAt(at), true)) return true;
  }
  return false;
}

/** Returns the length of the dot at `at`, which may be a triplet; 0 if there is none. */
function dotLength(text: string, at: number, end: number): number {
  if (at === end) return 0;
  if (text.charCodeAt(at) === DOT) return 1;
  return tripletValue(text, at, end) === DOT ? 3 : 0;
}

/** Notes what writeComponent does to a text. A `\` of a path is a slash here. */
function noteComponent(
  text: string,
  start: number,
  end: number,
  allowed: number,
  notes: ReasonNotes,
): void {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (hasClass(code, allowed)) continue;
    const value = tripletValue(text, at, end);
    if (value >= 0) {
      if (isLowerDigit(text, at + 1) || isLowerDigit(text, at + 2)) notes.note("tripletCase");
      if (hasClass(value, UNRESERVED)) notes.note("unreservedTriplets");
      at += 2;
      continue;
    }
    if (code === PERCENT && becomesTriplet(text, at, end)) notes.noteUntold();
    if (code !== BACKSLASH || allowed !== PATH) notes.note("percentEncoding");
  }
}

/**
 * Returns whether decoding makes a triplet from the stray `%` at `at` and the text after it, as in `%%341`.
 * `explain` first reads it as a triplet and then corrects itself.
 */
function becomesTriplet(text: string, at: number, end: number): boolean {
  const first = digitLength(text, at + 1, end);
  return first !== 0 && digitLength(text, at + 1 + first, end) !== 0;
}

/** Returns the length of the hex digit at `at`, which may be a triplet; 0 if another character is there. */
function digitLength(text: string, at: number, end: number): number {
  if (at >= end) return 0;
  if (hexValue(text.charCodeAt(at)) >= 0) return 1;
  const value = tripletValue(text, at, end);
  return value >= 0 && hexValue(value) >= 0 ? 3 : 0;
}

function isLowerDigit(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0x61;
}
