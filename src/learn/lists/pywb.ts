import { expandRegex } from "./expand-regex.ts";
import { otherForm } from "./json-list.ts";
import { type ListDraft, type Place, siteOf } from "./list-draft.ts";

/** An entry of the file: its prefixes, and the lines of `fuzzy_lookup` without their indent. */
interface Entry {
  readonly line: number;
  readonly prefixes: readonly string[];
  readonly fuzzy: string[];
}

/** Reads the rules of pywb (`rules.yaml`): which parameters a look-up keeps, and values that it ignores. */
export function readPywb(text: string, draft: ListDraft): void {
  const entries = entriesOf(text);
  if (entries.length === 0) throw otherForm("pywb: url_prefix");
  for (const { line, prefixes, fuzzy } of entries) {
    const shown = prefixes.join(", ");
    if (fuzzy.length === 0) draft.leave(line, shown, "it changes pages, and no URL");
    for (const prefix of fuzzy.length === 0 ? [] : prefixes) {
      const found = placeOf(prefix);
      if (found === null) draft.leave(line, prefix, "no rule can say this prefix");
      else readLookup(line, shown, fuzzy, found, draft);
    }
  }
}

function readLookup(
  line: number,
  shown: string,
  fuzzy: readonly string[],
  { place, unless }: { place: Place; unless: Place[] },
  draft: ListDraft,
): void {
  const [first = "", ...rest] = fuzzy;
  const names = rest.map((each) => /^- +(.+)$/.exec(each)?.[1]);
  const match = fuzzy.flatMap((each) => /^match: *(.+)$/.exec(each)?.[1] ?? []).map(unquoted)[0];
  const [, group] = /^\(\.\*\)\[&\?\]([^=]+)=\[?\\d\]?\+(?:\[&\]\?)?$/.exec(match ?? "") ?? [];
  const busters = group === undefined ? null : expandRegex(group);
  if (unquoted(first) === "()") draft.keep(line, [], place, unless);
  else if (first === "" && names.length > 0 && !names.includes(undefined)) {
    draft.keep(
      line,
      names.map((name) => unquoted(name as string)),
      place,
      unless,
    );
  } else if (busters !== null) {
    for (const name of busters) draft.dropIf(line, name, "<N>", place, unless);
  } else draft.leave(line, shown, "no rule can say its pattern");
}

/** Returns the place of a SURT prefix; null if no rule can say it. */
function placeOf(prefix: string): { place: Place; unless: Place[] } | null {
  if (prefix === "") return { place: { site: "*", path: "*" }, unless: [] };
  const [, labels = "", end = "", path = ""] = /^([a-z0-9_,-]+?)(,|\)(\/.*)?)$/.exec(prefix) ?? [];
  const host = labels.split(",").reverse().join(".");
  const site = host.includes(".") ? siteOf(host, end === ",") : null;
  if (site === null || /[?*]/.test(path)) return null;
  if (end === ",") return { place: { site, path: "*" }, unless: [{ site: host, path: "*" }] };
  return { place: { site, path: path === "" || path === "/" ? "*" : `${path}...` }, unless: [] };
}

/** Reads the entries of the file, in the subset of YAML that it is written in. */
function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  /** The indent of `fuzzy_lookup` while its lines are read, or -1. */
  let inside = -1;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    const indent = line.length - line.trimStart().length;
    const prefix = /^- +url_prefix: *(.*)$/.exec(content)?.[1];
    if (prefix !== undefined) {
      entries.push({ line: index + 1, prefixes: listOf(prefix), fuzzy: [] });
      inside = -1;
      continue;
    }
    const lookup = /^fuzzy_lookup: *(.*)$/.exec(content)?.[1];
    if (lookup !== undefined) {
      entries.at(-1)?.fuzzy.push(lookup);
      inside = indent;
    } else if (inside >= 0 && indent > inside) entries.at(-1)?.fuzzy.push(content);
    else inside = -1;
  }
  return entries;
}

function listOf(text: string): string[] {
  return text.startsWith("[")
    ? text
        .replace(/^\[|\]$/g, "")
        .split(/', *'|", *"/)
        .map((each) => each.replace(/^["']|["']$/g, ""))
    : [unquoted(text)];
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
