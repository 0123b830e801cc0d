import { SESSION_PAIR, SESSION_PATH_PARAMETER } from "../../../lists/session-ids.ts";
import type { LoadedProfile } from "../../../plan/decode.ts";
import { LISTED } from "../../../plan/layout.ts";
import { lowerCase } from "../../../url/bytes.ts";

/** The pieces of a query between its `&`. They are filtered and sorted, never decoded. */
export type Pieces = readonly string[];

/** The name of a parameter: all before its first `=`. */
function nameOf(piece: string): string {
  const equals = piece.indexOf("=");
  return equals < 0 ? piece : piece.slice(0, equals);
}

/** The name as options compare it: without ASCII case where they ask for that. */
function comparedName(piece: string, { paramCase }: LoadedProfile): string {
  return paramCase === "ignore" ? nameOf(piece).toLowerCase() : nameOf(piece);
}

/** The pieces that stay; the very same array where all do. */
function without(pieces: Pieces, drops: (piece: string) => boolean): Pieces {
  return pieces.some(drops) ? pieces.filter((piece) => !drops(piece)) : pieces;
}

/** Session parameters by name, `CFID` and `CFTOKEN` where both stand, and session ids that end a value. */
export function dropSession(pieces: Pieces, { listedParams, sessionIds }: LoadedProfile): Pieces {
  if (listedParams === null || sessionIds === "keep") return pieces;
  const isPaired = pairOf(pieces);
  const kept = without(pieces, (piece) => {
    const name = nameOf(piece);
    return listedParams.valueOf(name) === LISTED.SESSION || isPaired(name);
  });
  return kept.some((piece) => piece.includes(";")) ? kept.map(withoutValueSession) : kept;
}

/** A parameter whose value ends in `;jsessionid=x` without it, as often as it does. */
function withoutValueSession(piece: string): string {
  const value = nameOf(piece).length + 1;
  let end = piece.length;
  for (let at = end - 1; at >= value; at--) {
    const character = piece[at];
    if (character === "/" || character === "?") break;
    if (character !== ";") continue;
    const head = piece.slice(at, Math.min(at + SESSION_PATH_PARAMETER.length, end));
    if (head.toLowerCase() !== SESSION_PATH_PARAMETER) break;
    end = at;
  }
  return piece.slice(0, end);
}

export function dropTracking(pieces: Pieces, { listedParams }: LoadedProfile): Pieces {
  if (listedParams === null) return pieces;
  return without(pieces, (piece) => listedParams.valueOf(nameOf(piece)) === LISTED.TRACKING);
}

function pairOf(pieces: Pieces): (name: string) => boolean {
  if (!pieces.some((piece) => (piece.charCodeAt(0) | 0x20) === 0x63)) return () => false; // no `c`
  const names = new Set(pieces.map((piece) => nameOf(piece).toLowerCase()));
  if (!SESSION_PAIR.every((name) => names.has(name))) return () => false;
  return (name) => SESSION_PAIR.includes(name.toLowerCase());
}

export function lowerPieces(pieces: Pieces, profile: LoadedProfile): Pieces {
  return profile.case === "lower-path-query" ? pieces.map(lowerCase) : pieces;
}

export function keepNamed(pieces: Pieces, { keepParams }: LoadedProfile): Pieces {
  return keepParams === null ? pieces : without(pieces, (piece) => !keepParams.has(nameOf(piece)));
}

export function dropNamed(pieces: Pieces, { dropParams }: LoadedProfile): Pieces {
  return dropParams === null ? pieces : without(pieces, (piece) => dropParams.has(nameOf(piece)));
}

/** A parameter without `=` has the value "" where it would get one. */
export function dropDefaults(pieces: Pieces, profile: LoadedProfile): Pieces {
  const { defaultParams, valuelessParams } = profile;
  if (defaultParams === null) return pieces;
  return without(pieces, (piece) => {
    const value = defaultParams.get(comparedName(piece, profile));
    if (value === undefined) return false;
    if (!piece.includes("=")) return value === "" && valuelessParams !== "keep";
    return piece.slice(nameOf(piece).length + 1) === value;
  });
}

export function dropEmpty(pieces: Pieces, { emptyParams }: LoadedProfile): Pieces {
  return emptyParams === "remove" ? without(pieces, (piece) => piece === "") : pieces;
}

/** `a=`, and `a` where it would become `a=`. */
export function dropEmptyValues(pieces: Pieces, profile: LoadedProfile): Pieces {
  if (profile.emptyValues === "keep") return pieces;
  const getsEquals = profile.valuelessParams !== "keep";
  return without(pieces, (piece) => {
    const equals = piece.indexOf("=");
    return equals < 0 ? getsEquals && piece !== "" : equals === piece.length - 1;
  });
}

/** Of parameters of the same name, the first or the last stays. An empty piece has no name. */
export function dropRepeated(pieces: Pieces, profile: LoadedProfile): Pieces {
  if (profile.repeatedParams === "keep") return pieces;
  const isFirst = profile.repeatedParams === "first";
  const chosen = new Map<string, number>();
  let named = 0;
  for (const [at, piece] of pieces.entries()) {
    if (piece === "") continue;
    named++;
    const name = comparedName(piece, profile);
    if (!isFirst || !chosen.has(name)) chosen.set(name, at);
  }
  if (chosen.size === named) return pieces;
  return pieces.filter(
    (piece, at) => piece === "" || chosen.get(comparedName(piece, profile)) === at,
  );
}

export function addEquals(pieces: Pieces, { valuelessParams }: LoadedProfile): Pieces {
  if (valuelessParams === "keep") return pieces;
  return pieces.map((piece) => (piece === "" || piece.includes("=") ? piece : `${piece}=`));
}

/** Bytewise by name, stable; or by name and value (RFC 5849 3.4.1.3.2), no `=` before an empty value. */
export function sortPieces(pieces: Pieces, { sortQuery }: LoadedProfile): Pieces {
  if (sortQuery === "keep") return pieces;
  const keyed = pieces.map((piece) => ({ piece, name: nameOf(piece) }));
  const byValue = sortQuery === "name-value";
  const order = (a: Keyed, b: Keyed): number =>
    compare(a.name, b.name) || (byValue ? compare(a.piece, b.piece) : 0);
  if (keyed.every((each, at) => at === 0 || order(keyed[at - 1] as Keyed, each) <= 0))
    return pieces;
  return keyed.sort(order).map(({ piece }) => piece);
}

interface Keyed {
  readonly piece: string;
  readonly name: string;
}

/** Of ASCII, by UTF-16 units, which is bytewise. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
