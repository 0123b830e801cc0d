import type { StepName } from "../../options/catalog.generated.ts";
import { badOption } from "../../options/options.ts";
import type { LoadedPlan } from "../../plan/decode/decode.ts";
import { FORM, type RowForm } from "../../plan/form.ts";
import { type Base, parseBase } from "../../url/base.ts";
import { urlByteString } from "../../url/bytes.ts";
import { CR, HASH, isDigit, LF, QUESTION, SPACE, TAB } from "../../url/chars.ts";
import { Failure } from "../../url/failure.ts";
import { isBareHost, normalEnd } from "../../url/normal-text.ts";
import { isSlash } from "../../url/path/path.ts";
import { schemeEnd } from "../../url/scheme.ts";
import { hostOf, templateOf } from "../../url/template.ts";
import { writeFromPath, writeUrl } from "../../url/url.ts";
import { writeUrlkey } from "../../url/urlkey/urlkey.ts";
import type { RowResult } from "../engine.ts";
import type { ReasonNotes } from "../reasons.ts";
import { IN_DOUBT } from "./options/query-by-names.ts";
import { rewrite } from "./options/rewrite.ts";
import { rewritePlain } from "./options/rewrite-plain.ts";
import { noteReading } from "./reading-reasons.ts";
import { isNormal } from "./scan.ts";
import { settleSite } from "./settle-site.ts";
import type { SettleTrace } from "./settle-site-rules.ts";

/**
 * Normalizes one row, a byte string. The offset of a failure counts bytes of the row. `notes` gets each step
 * that changes the row. `printable`: what `isPrintable` returns for the row, if it is known.
 */
export function writeRow(
  row: string,
  base: Base | null,
  plan: LoadedPlan,
  notes: ReasonNotes | null = null,
  printable = isPrintable(row),
): string | Failure {
  if (plan.form !== FORM.url) return writeKeyRow(row, base, plan);
  return writeNormalized(row, base, plan, notes, printable);
}

/**
 * Returns a base in normal form, whatever rows become. Options and rules do not apply to it: a trailing slash or a file
 * name decides what a reference means, so it must stay.
 */
export function writeBase(base: string, loaded: LoadedPlan): string | Failure {
  const plan = { ...loaded, form: FORM.url, rewrites: false, siteRules: null, pageAliases: null };
  return writeRow(urlByteString(base, plan.maxLength), null, plan);
}

/** Returns the key of one URL in indexes of web archives; `base`: a normalized URL, or "". */
export function urlkeyOf(
  url: string | null,
  base: string,
  form: "urlkey" | "urlkey-www",
  loaded: LoadedPlan,
): RowResult {
  if (form !== "urlkey" && form !== "urlkey-www") {
    throw badOption("form", form, '"urlkey" or "urlkey-www"');
  }
  return rowInForm(url, base, form, loaded);
}

/** Returns what one URL becomes in a form; `base`: a normalized URL, or "". */
export function rowInForm(
  url: string | null,
  base: string,
  form: RowForm,
  loaded: LoadedPlan,
): RowResult {
  if (url === null) return { url: null, error: "NOT_A_STRING", offset: -1 };
  const plan = { ...loaded, form: FORM[form] };
  const row = urlByteString(url, plan.maxLength);
  const key = writeKeyRow(row, base === "" ? null : parseBase(base), plan);
  if (typeof key === "string") return { url: key, error: null };
  return { url: null, error: key.code, offset: key.at };
}

/** Writes what a row becomes that is not a URL. Base, options and rules, if there are any, come first. */
function writeKeyRow(row: string, base: Base | null, plan: LoadedPlan): string | Failure {
  const isGiven = base === null && plan.form <= FORM["urlkey-www"] && readsAsGiven(plan);
  if (isGiven && row.length > plan.maxLength) return new Failure("TOO_LONG", plan.maxLength);
  const url = isGiven ? row : writeNormalized(row, base, plan, null, isPrintable(row));
  const key = typeof url === "string" ? inForm(url, plan.form) : url;
  return key instanceof Failure || key.length <= plan.maxLength ? key : new Failure("TOO_LONG", 0);
}

function inForm(url: string, form: number): string | Failure {
  if (form === FORM.template) return templateOf(url);
  return form === FORM.host ? hostOf(url) : writeUrlkey(url, form === FORM["urlkey-www"]);
}

/** Returns whether a plan has no option, rule or alias that changes a URL before its key is made. */
function readsAsGiven(plan: LoadedPlan): boolean {
  return (
    !plan.rewrites &&
    plan.siteRules === null &&
    plan.pageAliases === null &&
    plan.defaultScheme === ""
  );
}

function writeNormalized(
  row: string,
  base: Base | null,
  plan: LoadedPlan,
  notes: ReasonNotes | null,
  printable: boolean,
): string | Failure {
  if (row.length > plan.maxLength) return new Failure("TOO_LONG", plan.maxLength);
  const start = printable ? 0 : leadingSpace(row);
  const kept = printable ? row : trimmed(row);
  const text = printable ? row : withoutRemoved(kept);
  if (text === "" && base === null) return new Failure("EMPTY", start);
  const prefix =
    base === null && plan.defaultScheme !== "" ? missingPrefix(text, plan.defaultScheme) : "";
  const written = writeUrl(prefix + text, base);
  if (typeof written === "string") {
    if (notes !== null) {
      if (kept !== row) notes.note("surroundingSpace");
      if (text !== kept) notes.note("tabAndNewline");
      if (prefix !== "") notes.note("defaultScheme");
      noteReading(prefix + text, base, written, notes);
    }
    const plain = plan.rewrites && notes === null && isNormal(written);
    return applyOptions(written, start, plan, notes, plain);
  }
  const at = Math.max(0, written.at - prefix.length);
  return new Failure(written.code, start + originalOffset(kept, text, at));
}

/**
 * Normalizes a row that `normalEnd` has read far enough: a URL in normal form, or an http or https URL in
 * normal form at least up to its path. Returns null for any other row. `normal`: what `normalEnd` returns for
 * the row.
 */
export function writeKnownRow(
  row: string,
  plan: LoadedPlan,
  notes: ReasonNotes | null,
  normal: number = normalEnd(row),
): string | Failure | null {
  if (plan.form !== FORM.url || row.length > plan.maxLength) return null;
  if (normal === 0)
    return notes === null && isBareHost(row) ? applyOptions(`${row}/`, 0, plan, null, true) : null;
  if (normal === row.length) return applyOptions(row, 0, plan, notes, true);
  if (notes !== null || !row.startsWith("http") || !isPrintable(row, normal)) return null;
  return applyOptions(writeFromPath(row, normal), 0, plan, null, true);
}

const PRINTABLE = /[!-~]*/y;

/**
 * Returns whether a text from `start` on is all printable ASCII: no space, nothing to remove or to encode
 * first.
 */
export function isPrintable(text: string, start = 0): boolean {
  PRINTABLE.lastIndex = start;
  PRINTABLE.test(text);
  return PRINTABLE.lastIndex === text.length;
}

/**
 * Applies the options to a URL in normal form; `start` is where it began in its row. `plain`: whether
 * `rewritePlain` can read the URL.
 */
function applyOptions(
  url: string,
  start: number,
  plan: LoadedPlan,
  notes: ReasonNotes | null,
  plain: boolean,
): string | Failure {
  const rewritten = plain ? rewritePlain(url, plan) : IN_DOUBT;
  const trace = notes === null ? undefined : (option: StepName) => notes.note(option);
  const isKnown = rewritten !== IN_DOUBT && (notes === null || rewritten === url);
  const written = isKnown ? rewritten : rewrite(url, plan, trace);
  if (written === null) return new Failure("SCHEME_NOT_ALLOWED", start);
  return written.length > plan.maxLength
    ? new Failure("TOO_LONG", 0)
    : withSiteRules(written, plan, notes);
}

function withSiteRules(url: string, plan: LoadedPlan, notes: ReasonNotes | null): string {
  if (plan.siteRules === null && plan.pageAliases === null) return url;
  if (notes === null) return settleSite(url, plan);
  let current = url;
  return settleSite(url, plan, (step, after) => {
    if (after === current) return;
    notes.note(reasonOf(step));
    current = after;
  });
}

/** Returns the name under which a step of `settleSite` is reported. */
function reasonOf(step: Parameters<SettleTrace>[0]): StepName {
  if (step === null) return "reading";
  if (typeof step === "string") return step;
  return "action" in step ? "rules" : "pageAliases";
}

/** Removes C0 controls and space at both ends (URL Standard, "basic URL parser"). */
export function trimmed(row: string): string {
  const start = leadingSpace(row);
  let end = row.length;
  while (end > start && row.charCodeAt(end - 1) <= SPACE) end--;
  return row.slice(start, end);
}

function leadingSpace(row: string): number {
  let start = 0;
  while (start < row.length && row.charCodeAt(start) <= SPACE) start++;
  return start;
}

/** Returns whether a code is TAB, LF or CR, which are removed anywhere (URL Standard, "basic URL parser"). */
function isRemoved(code: number): boolean {
  return code === TAB || code === LF || code === CR;
}

const REMOVED = /[\t\n\r]/;

/** Removes TAB, LF and CR anywhere in a text (URL Standard, "basic URL parser"). */
export function withoutRemoved(text: string): string {
  if (!REMOVED.test(text)) return text;
  let kept = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (!isRemoved(text.charCodeAt(at))) continue;
    kept += text.slice(from, at);
    from = at + 1;
  }
  return kept + text.slice(from);
}

/** Returns the place in `original` of the byte at `at` of `text`; `original` also has TAB, LF and CR. */
function originalOffset(original: string, text: string, at: number): number {
  if (original === text) return at;
  let kept = at;
  let offset = 0;
  while (offset < original.length && (kept > 0 || isRemoved(original.charCodeAt(offset)))) {
    if (!isRemoved(original.charCodeAt(offset))) kept--;
    offset++;
  }
  return offset;
}

/** Returns the text to put before a text that names a host and no scheme; "" for any other text. */
export function missingPrefix(text: string, scheme: string): string {
  if (isSlash(text.charCodeAt(0), true)) {
    return text.length > 1 && isSlash(text.charCodeAt(1), true) ? `${scheme}:` : "";
  }
  if (text.charCodeAt(0) === QUESTION || text.charCodeAt(0) === HASH) return "";
  const colon = schemeEnd(text);
  return colon < 0 || isHostAndPort(text, colon) ? `${scheme}://` : "";
}

/**
 * Returns whether the text is like `example.com:8080/` or `localhost:8080`, which would read as a scheme: one
 * to five digits follow the colon.
 */
function isHostAndPort(text: string, colon: number): boolean {
  const name = text.slice(0, colon);
  if (!name.includes(".") && name.toLowerCase() !== "localhost") return false;
  let at = colon + 1;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  const digits = at - colon - 1;
  if (digits === 0 || digits > 5) return false;
  if (at === text.length) return true;
  const code = text.charCodeAt(at);
  return isSlash(code, true) || code === QUESTION || code === HASH;
}
