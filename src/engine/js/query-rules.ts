import { SESSION_PAIR } from "../../lists/session-ids.ts";
import type { LoadedProfile } from "../../plan/decode.ts";
import { LISTED } from "../../plan/layout.ts";

/** The pieces of a query between its `&`. They are filtered and sorted, never decoded. */
export type Pieces = readonly string[];

/** The name of a parameter: all before its first `=`. */
function nameOf(piece: string): string {
  const equals = piece.indexOf("=");
  return equals < 0 ? piece : piece.slice(0, equals);
}

/** Session parameters by name, and `CFID` and `CFTOKEN` where both stand. */
export function dropSession(pieces: Pieces, { listedParams, sessionIds }: LoadedProfile): Pieces {
  if (listedParams === null || sessionIds === "keep") return pieces;
  const isPaired = pairOf(pieces);
  return pieces.filter((piece) => {
    const name = nameOf(piece);
    return listedParams.valueOf(name) !== LISTED.SESSION && !isPaired(name);
  });
}

export function dropTracking(pieces: Pieces, { listedParams }: LoadedProfile): Pieces {
  if (listedParams === null) return pieces;
  return pieces.filter((piece) => listedParams.valueOf(nameOf(piece)) !== LISTED.TRACKING);
}

function pairOf(pieces: Pieces): (name: string) => boolean {
  const names = new Set(pieces.map((piece) => nameOf(piece).toLowerCase()));
  if (!SESSION_PAIR.every((name) => names.has(name))) return () => false;
  return (name) => SESSION_PAIR.includes(name.toLowerCase());
}

export function keepNamed(pieces: Pieces, { keepParams }: LoadedProfile): Pieces {
  return keepParams === null ? pieces : pieces.filter((piece) => keepParams.has(nameOf(piece)));
}

export function dropNamed(pieces: Pieces, { dropParams }: LoadedProfile): Pieces {
  return dropParams === null ? pieces : pieces.filter((piece) => !dropParams.has(nameOf(piece)));
}

/** A parameter without `=` has the value "" where it would get one. */
export function dropDefaults(pieces: Pieces, profile: LoadedProfile): Pieces {
  const { defaultParams, valuelessParams } = profile;
  if (defaultParams === null) return pieces;
  return pieces.filter((piece) => {
    const value = defaultParams.get(nameOf(piece));
    if (value === undefined) return true;
    if (!piece.includes("=")) return value !== "" || valuelessParams === "keep";
    return piece.slice(nameOf(piece).length + 1) !== value;
  });
}

export function dropEmpty(pieces: Pieces, { emptyParams }: LoadedProfile): Pieces {
  return emptyParams === "remove" ? pieces.filter((piece) => piece !== "") : pieces;
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
  keyed.sort((a, b) => compare(a.name, b.name) || (byValue ? compare(a.piece, b.piece) : 0));
  return keyed.map(({ piece }) => piece);
}

/** Of ASCII, by UTF-16 units, which is bytewise. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
