import {
  CDATA_END,
  CDATA_START,
  type TagKind,
  type XmlHandler,
  XmlScanner,
} from "../formats/xml/xml-scanner.ts";
import { unescapeXml } from "../formats/xml/xml-text.ts";
import { badRule } from "../site-rules/data-lines.ts";

/** Holds a `<regex>` of Nutch's regex-normalize.xml: a Java pattern and what replaces each of its matches. */
export interface NutchRegex {
  readonly pattern: string;
  readonly substitution: string;
}

/** Holds a `<regex>` and where it begins; null if it lacks pattern or substitution, for then Nutch skips it. */
export interface PlacedRegex {
  readonly line: number;
  readonly regex: NutchRegex | null;
}

const ROOT = "regex-normalize";

/**
 * Reads the `<regex>` elements in their order, and the lines of whatever else is not a comment. Throws `BAD_RULES` for
 * text without a whole `<regex-normalize>` element.
 */
export function readNutchXml(xml: string): { regexes: PlacedRegex[]; others: number[] } {
  const reader = new RegexReader(xml);
  new XmlScanner(reader).take(xml);
  if (reader.isWhole) return reader;
  throw badRule("a regex-normalize.xml has an element <regex-normalize>");
}

/** Names the part of the file that holds a tag or text. */
type Place = "before" | "root" | "regex" | "field" | "after";

/** Finds the `<regex>` elements among the tags of a file. */
class RegexReader implements XmlHandler {
  readonly regexes: PlacedRegex[] = [];
  readonly others: number[] = [];
  readonly #xml: string;
  readonly #lineAt: (at: number) => number;
  #place: Place = "before";
  /** Gives the line of the `<regex>` under way. */
  #line = 0;
  #fields = new Map<string, string>();
  /** Names the field under way. `#text` is its text, `#cdata` its CDATA alone, null if it has none. */
  #name = "";
  #text = "";
  #cdata: string | null = null;

  constructor(xml: string) {
    this.#xml = xml;
    this.#lineAt = lineCounter(xml);
  }

  /** Says whether the root was closed. */
  get isWhole(): boolean {
    return this.#place === "after";
  }

  tag(kind: TagKind, name: string, from: number): void {
    if (name === ROOT && kind === "end" && this.#place !== "before") {
      this.#endRoot();
      return;
    }
    switch (this.#place) {
      case "before":
        if (name === ROOT && kind !== "end") this.#place = kind === "empty" ? "after" : "root";
        break;
      case "root":
        this.#tagOfRoot(kind, name, from);
        break;
      case "regex":
        if (name === "regex" && kind === "end") this.#endRegex();
        else if (kind === "empty") this.#fields.set(name, "");
        else if (kind === "start") this.#beginField(name);
        break;
      case "field":
        // A field holds text alone; one with an element in it is not read.
        if (name === this.#name && kind === "end")
          this.#fields.set(name, this.#cdata ?? this.#text);
        this.#place = "regex";
        if (name === "regex" && kind === "end") this.#endRegex();
    }
  }

  text(from: number, to: number): void {
    if (this.#place === "root") this.#addOthers(from, to);
    if (this.#place !== "field") return;
    const text = unescapeXml(this.#xml.slice(from, to), String);
    this.#text += text;
    if (text.trim() !== "") this.#cdata = null;
  }

  cdata(from: number, to: number): void {
    if (this.#place === "root") this.#addOthers(from, to);
    if (this.#place !== "field") return;
    const text = this.#xml.slice(from + CDATA_START.length, to - CDATA_END.length);
    // White space around a section does not count.
    if (this.#text.trim() === "") this.#cdata = text;
    this.#text += text;
  }

  #tagOfRoot(kind: TagKind, name: string, from: number): void {
    if (name === "regex" && kind !== "end") {
      this.#line = this.#lineAt(from);
      if (kind === "start") this.#place = "regex";
      else this.#endRegex();
    } else {
      this.#addOther(from);
    }
  }

  /** Ends the root, and a `<regex>` that is not closed, which then lacks something. */
  #endRoot(): void {
    if (this.#place === "field") this.#fields.clear();
    if (this.#place === "field" || this.#place === "regex") this.#endRegex();
    this.#place = "after";
  }

  #beginField(name: string): void {
    this.#place = "field";
    this.#name = name;
    this.#text = "";
    this.#cdata = null;
  }

  #endRegex(): void {
    const pattern = this.#fields.get("pattern") ?? "";
    const substitution = this.#fields.get("substitution");
    const isWhole = pattern !== "" && substitution !== undefined;
    this.regexes.push({ line: this.#line, regex: isWhole ? { pattern, substitution } : null });
    this.#fields = new Map();
    this.#place = "root";
  }

  /** Lists each line of a text that is not blank. */
  #addOthers(from: number, to: number): void {
    for (const { index } of this.#xml.slice(from, to).matchAll(/\S.*/g))
      this.#addOther(from + index);
  }

  #addOther(at: number): void {
    const line = this.#lineAt(at);
    if (this.others.at(-1) !== line) this.others.push(line);
  }
}

/** Returns a function from a place to its line, from 1 on. Ask for places in their order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (; counted < at; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}

/** Writes a regex-normalize.xml as Nutch reads it: each text in one piece, without white space around it. */
export function writeNutchXml(regexes: readonly NutchRegex[]): string {
  const elements = regexes.map(
    ({ pattern, substitution }) =>
      `<regex>\n  <pattern>${escapeXml(pattern)}</pattern>\n  <substitution>${escapeXml(substitution)}</substitution>\n</regex>\n`,
  );
  return `<?xml version="1.0"?>\n<regex-normalize>\n${elements.join("")}</regex-normalize>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
