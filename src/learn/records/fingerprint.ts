import { UrlmillError } from "../../base/errors.ts";
import { excerpt } from "../../formats/excerpt.ts";
import { Malformed } from "../../formats/row.ts";
import { isSimFingerprint } from "../text/sim-classes.ts";
import { FP_KINDS, type FpKind } from "./record.ts";
import { isAbsent } from "./values.ts";

/** Lists the columns and members that hold a fingerprint of one kind, the strongest kind first. */
export const FP_NAMES: readonly { readonly name: string; readonly kind: FpKind }[] = [
  { name: "cls", kind: "cls" },
  { name: "cluster", kind: "cls" },
  { name: "sim", kind: "sim" },
  { name: "text", kind: "text" },
  { name: "raw", kind: "raw" },
  { name: "digest", kind: "raw" },
];

/** Names the column or member that fingerprints are taken from, and their kind. */
export interface FpSource {
  readonly kind: FpKind;
  readonly name: string;
}

/** Reads the option `fp`, "cls:cluster": a kind and a name. Throws `BAD_OPTION`. */
export function parseFpSource(option: string): FpSource {
  const kind = fpKindOf(option);
  const name = option.slice(option.indexOf(":") + 1);
  if (kind === undefined || name === "") {
    throw new UrlmillError(
      "BAD_OPTION",
      `fp is "${option}"; it is a kind (${FP_KINDS.join(", ")}), a colon and a column: "cls:cluster"`,
    );
  }
  return { kind, name };
}

/**
 * Returns the fingerprint of a kind, or undefined if the field is empty or "-", which would else make all such rows one
 * page. `sha1:` before a digest is left out, as in CDX files. A simhash that is not 16 hexadecimal digits is malformed:
 * no distance can be taken from it.
 */
export function fingerprint(kind: Exclude<FpKind, "sim">, value: string): string | undefined;
export function fingerprint(kind: FpKind, value: string): string | Malformed | undefined;
export function fingerprint(kind: FpKind, value: string): string | Malformed | undefined {
  const bare = kind === "raw" && value.startsWith("sha1:") ? value.slice("sha1:".length) : value;
  if (isAbsent(bare)) return undefined;
  const fp = `${kind}:${bare}`;
  if (kind !== "sim" || isSimFingerprint(fp)) return fp;
  return new Malformed(`sim is ${excerpt(bare)}, not 16 hexadecimal digits in lower case`);
}

/** Returns the fingerprint in a field that names its kind; one without a known kind is a class. */
export function namedFingerprint(value: string): string | Malformed | undefined {
  const kind = fpKindOf(value);
  return kind === undefined
    ? fingerprint("cls", value)
    : fingerprint(kind, value.slice(kind.length + 1));
}

function fpKindOf(text: string): FpKind | undefined {
  return FP_KINDS.find((kind) => text.startsWith(kind) && text[kind.length] === ":");
}
