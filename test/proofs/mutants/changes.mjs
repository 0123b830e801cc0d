// Lists the changes of the kernel's source that `npm run proof mutants` tries: one place each, a comparison, a number, an
// operator or a call.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../copy-tree.mjs";

/** What becomes what. Each stands between spaces, so that the brackets of types are left alone. */
const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "+",
  "&": "|",
  "|": "&",
  "^": "|",
  "<<": ">>",
  ">>": "<<",
};

/** Returns the source with spaces for comments, texts and lines that hold no code to change. */
function maskedOf(source) {
  const blank = (text) => text.replaceAll(/[^\n]/g, " ");
  return source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"[^"\n]*"/g, blank)
    .replaceAll(/^(?:import|export \{|@)[\s\S]*?;$/gm, blank)
    .replaceAll(/^.*memory\.data\(.*$/gm, blank);
}

/**
 * Lists the changes of a file: where they begin and end, what comes there, and a name for each, which says what it is as
 * `assembly/file.ts while (at [< → <=] end) {`. The second of that name has ` (2)` after it.
 */
export function changesOf(file) {
  const source = readFileSync(join(ROOT, file), "utf8");
  const masked = maskedOf(source);
  const changes = [];
  const counts = new Map();
  const add = (start, text, to) => {
    const change = { file, source, start, end: start + text.length, to };
    const line = describe(change);
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    changes.push({ ...change, name: count === 1 ? line : `${line} (${count})` });
  };
  for (const { 1: text, index } of masked.matchAll(
    /(?<= )([=!]==|[<>]=?|&&|\|\||[-+*&|^]|<<|>>)(?= )/g,
  )) {
    add(index, text, OPERATORS[text]);
  }
  for (const { 0: text, index } of masked.matchAll(/(?<![\w.])(?:0x[\da-f]+|\d+)(?![\w.])/g)) {
    const next = BigInt(text) + 1n;
    add(index, text, text.startsWith("0x") ? `0x${next.toString(16)}` : `${next}`);
  }
  for (const { 1: text, index } of masked.matchAll(
    /(?<=\n {2,})([\w.]+(?:<\w+>)?\([^;\n]*\);)(?=\n)/g,
  )) {
    add(index, text, "");
  }
  return changes;
}

/**
 * Draws so many changes by a seed: those whose names have the smallest hashes. So a sample stays nearly the same where the
 * source is edited.
 */
export function draw(all, count, seed) {
  const hashOf = ({ name }) => createHash("sha256").update(`${seed} ${name}`).digest("hex");
  const hashed = all.map((change) => ({ change, hash: hashOf(change) }));
  const sorted = hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return sorted.slice(0, count).map(({ change }) => change);
}

function describe({ file, source, start, end, to }) {
  const from = source.lastIndexOf("\n", start) + 1;
  const place = `${source.slice(from, start)}[${source.slice(start, end)} → ${to || "nothing"}]`;
  return `${file} ${place.trimStart()}${source.slice(end, source.indexOf("\n", end))}`;
}

/** Returns the source of a change's file with the change in it. */
export function changed({ source, start, end, to }) {
  return source.slice(0, start) + to + source.slice(end);
}

/** Lists the files of assembly/, or of a folder of it, or one file. */
export function filesUnder(under) {
  return readdirSync(join(ROOT, "assembly"), { recursive: true, encoding: "utf8" })
    .map((name) => `assembly/${name.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts") && !file.includes(".generated."))
    .filter((file) => under === "" || `${file}/`.startsWith(`assembly/${under}/`));
}

/** Returns the folder of assembly/ that a file is in. */
export function folderOf(file) {
  return file.split("/").slice(1, -1).join("/") || "(root)";
}
