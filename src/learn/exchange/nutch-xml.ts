import { badRule } from "../../rules/bad-rule.ts";

/** A `<regex>` of Nutch's regex-normalize.xml: a Java pattern and what replaces each of its matches. */
export interface NutchRegex {
  readonly pattern: string;
  readonly substitution: string;
}

/** A `<regex>` and where it begins; null where it lacks one of the two, which Nutch skips. */
export interface PlacedRegex {
  readonly line: number;
  readonly regex: NutchRegex | null;
}

/**
 * Reads the `<regex>` elements in their order, and the lines of whatever else is no comment. Throws
 * `BAD_RULES` for text without a `<regex-normalize>` element.
 */
export function readNutchXml(xml: string): { regexes: PlacedRegex[]; others: number[] } {
  const plain = xml.replace(/<!--.*?-->/gs, blank);
  const root = /<regex-normalize\s*>(.*)<\/regex-normalize\s*>/s.exec(plain);
  if (root === null) {
    if (/<regex-normalize\s*\/>/.test(plain)) return { regexes: [], others: [] };
    throw badRule("a regex-normalize.xml has an element <regex-normalize>");
  }
  const [whole, content = ""] = root;
  const start = root.index + whole.indexOf(">") + 1;
  const lineAt = lineCounter(plain);
  const regexes: PlacedRegex[] = [];
  const rest = content.replace(
    /<regex\s*>(.*?)<\/regex\s*>/gs,
    (element: string, inner: string, at: number) => {
      const pattern = field(inner, "pattern");
      const substitution = field(inner, "substitution");
      const isWhole = pattern !== null && pattern !== "" && substitution !== null;
      regexes.push({
        line: lineAt(start + at),
        regex: isWhole ? { pattern, substitution } : null,
      });
      return blank(element);
    },
  );
  const others = [...rest.matchAll(/\S.*/g)].map(({ index }) => lineAt(start + index));
  return { regexes, others };
}

/** As much white space, on as many lines. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** The line of a place, from 1 on; places come in their order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    if (at < counted) {
      line = 1;
      counted = 0;
    }
    for (; counted < at; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}

/** What the element holds; null where there is none. */
function field(inner: string, name: string): string | null {
  if (new RegExp(`<${name}\\s*/>`).test(inner)) return "";
  const found = new RegExp(`<${name}\\s*>(.*?)</${name}\\s*>`, "s").exec(inner);
  return found === null ? null : textOf(found[1] as string);
}

function textOf(written: string): string {
  const cdata = /^\s*<!\[CDATA\[(.*)\]\]>\s*$/s.exec(written)?.[1];
  return cdata ?? written.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);/gi, reference);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function reference(written: string, name: string): string {
  if (!name.startsWith("#")) return ENTITIES[name] ?? written;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** A regex-normalize.xml as Nutch reads it: each text in one piece, without white space around it. */
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
