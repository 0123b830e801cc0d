// Reads the public symbols of the package from its sources: each with its doc comment, signatures and members.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const EXPORTED = /^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)";/gm;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|const|class|interface|type) (\w+)/;
const MEMBER =
  /^ {2}(?:\| "|(?:(?:readonly|static|async|override|get|abstract) |\*)*)(\[?[A-Za-z][\w.]*\]?)/;
const OPENING = new Set("([{");
const CLOSING = new Set(")]}");

/** Returns the doc comment that ends above a line, without its marks; "" if there is none. */
function docAbove(lines, at) {
  if (!lines[at - 1]?.trimEnd().endsWith("*/")) return "";
  const begin = lines.findLastIndex((line, index) => index < at && /^\s*\/\*\*/.test(line));
  return lines
    .slice(begin, at)
    .join("\n")
    .replace(/^\s*\/\*\*\s?/, "")
    .replace(/\s*\*\/$/, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .trim();
}

/** Returns where a declaration ends: at its semicolon, or before the brace of its body. */
function endOfDeclaration(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (depth === 0 && (text[at] === ";" || isBody(text, at))) return at;
    if (OPENING.has(text[at])) depth++;
    if (CLOSING.has(text[at])) depth--;
    if (depth < 0) return at;
  }
  throw new Error(`no end of: ${text.slice(0, 80)}`);
}

/** Says whether a brace begins a body, and not a type or a value. */
function isBody(text, at) {
  return text[at] === "{" && !/[:=|&<,(?]\s*$/.test(text.slice(Math.max(0, at - 8), at));
}

/** Returns a declaration as callers see it: from its line to the beginning of its body. */
function signatureAt(lines, at) {
  if (lines[at].startsWith("export const")) return constantAt(lines[at]);
  const indent = /^ */.exec(lines[at])[0].length;
  const text = lines
    .slice(at)
    .map((line) => line.slice(indent))
    .join("\n")
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "");
  return text
    .slice(0, endOfDeclaration(text))
    .replace(/^export /, "")
    .replace(/^(?:async |override |declare )+/, "")
    .trim();
}

/** Says whether lines after a declaration's first may be its members. */
function mayHaveMembers(kind, line) {
  return kind === "class" || kind === "interface" || (!isFunction({ kind }) && /[{=]$/.test(line));
}

/** Returns a constant with its value, or without a value of more than one line. */
function constantAt(line) {
  const text = line.replace(/^export /, "");
  return text.endsWith(";") ? text.slice(0, -1) : text.replace(/ =.*$/, "");
}

const isFunction = ({ kind }) => kind.startsWith("function");

/** Adds a further signature with a doc comment of its own to a function or method. */
function overload(symbol, doc, signature) {
  symbol.overloads.push({ doc, signature });
}

function symbolAt(lines, at, doc) {
  return { doc, signature: signatureAt(lines, at), overloads: [] };
}

/**
 * Returns the symbols that a file declares. Classes and interfaces have the members that have a comment. Of a function
 * with overloads, each overload counts and the body does not, which has no comment.
 */
function declaredIn(file) {
  const lines = readFileSync(join(source, file), "utf8").split("\n");
  const symbols = new Map();
  let owner = null;
  for (const [at, line] of lines.entries()) {
    const [, kind, name] = DECLARATION.exec(line) ?? [];
    const doc = docAbove(lines, at);
    if (name !== undefined) {
      owner = declare(symbols, { file, kind, name, members: new Map() }, lines, at, doc);
      if (!mayHaveMembers(kind, line)) owner = null;
    } else if (/^[^\s]/.test(line)) owner = null;
    else if (owner !== null && doc !== "" && !doc.includes("@internal")) {
      addMember(owner, lines, at, doc);
    }
  }
  return symbols;
}

function declare(symbols, declaration, lines, at, doc) {
  const known = symbols.get(declaration.name);
  if (known === undefined || !isFunction(known)) {
    const symbol = { ...declaration, ...symbolAt(lines, at, doc) };
    symbols.set(declaration.name, symbol);
    return symbol;
  }
  const hasBody = /\{$/.test(lines.slice(at).find((line) => /[;{]$/.test(line)));
  if (doc !== "" || !hasBody) overload(known, doc, signatureAt(lines, at));
  return known;
}

function addMember({ kind, members }, lines, at, doc) {
  const [, name] = MEMBER.exec(lines[at]) ?? [];
  if (name === undefined) return;
  const known = members.get(name);
  if (known !== undefined) overload(known, doc, signatureAt(lines, at));
  else if (kind === "const") members.set(name, { name, doc, value: valueAt(lines[at]) });
  else members.set(name, { name, ...symbolAt(lines, at, doc) });
}

/** Returns the value of a member of a constant: `9` for the line `BAD_IDN: 9,`. */
function valueAt(line) {
  return line.replace(/^\s*\w+: /, "").replace(/,$/, "");
}

/** Returns the names of what an interface extends, as it is written: `Partial<Choices>`. */
export function extended({ signature }) {
  return (
    / extends (?!.* extends )(.+)$/s.exec(signature.replaceAll(/<[^>]*=[^>]*>/g, ""))?.[1] ?? ""
  );
}

/** Returns an interface with the members of those that it extends in its own file and that are not exported with it. */
function withInherited(symbol, declared, exported) {
  if (symbol.kind !== "interface") return symbol;
  const written = extended(symbol);
  const hidden = [...written.matchAll(/\w+/g)]
    .map(([name]) => declared.get(name))
    .filter((parent) => parent !== undefined && !exported.has(parent.name));
  const inherited = hidden.flatMap(({ name, members }) =>
    [...members].map(([key, member]) => [
      key,
      written.includes(`Partial<${name}>`) ? optional(member) : member,
    ]),
  );
  return { ...symbol, members: new Map([...symbol.members, ...inherited]) };
}

const optional = (member) => ({
  ...member,
  signature: member.signature.replace(`${member.name}:`, `${member.name}?:`),
});

/** Returns the symbols that a file of `src` exports, also from other files, by name. */
export function exportedBy(file) {
  const symbols = declaredIn(file);
  for (const [, names, path] of readFileSync(join(source, file), "utf8").matchAll(EXPORTED)) {
    const from = join(dirname(file), path);
    const found = exportedBy(from);
    const wanted =
      names === "*"
        ? new Set(found.keys())
        : new Set([...names.matchAll(/(?:type )?(\w+)\s*[,}]/g)].map(([, name]) => name));
    for (const [name, symbol] of found) {
      if (wanted.has(name)) symbols.set(name, withInherited(symbol, found, wanted));
    }
  }
  return symbols;
}
