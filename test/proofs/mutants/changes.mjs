// Lists the changes of the kernel's source that `npm run proof mutants` tries: one place each, a comparison, a number, an
// operator or a call.
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

/** Lists the changes of a file: where they begin and end, and what comes there. */
export function changesOf(file) {
  const source = readFileSync(join(ROOT, file), "utf8");
  const masked = maskedOf(source);
  const changes = [];
  const add = (start, text, to) =>
    changes.push({ file, source, start, end: start + text.length, to });
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

/** Returns a generator of whole numbers below a limit (mulberry32). */
function randomBelow(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Draws so many of a list by a seed. */
export function draw(all, count, seed) {
  const below = randomBelow(seed);
  const left = [...all];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(below(left.length), 1)[0],
  );
}

/** Says in one line what a change is, as `assembly/file.ts while (at [< → <=] end) {`. */
export function describe({ file, source, start, end, to }) {
  const from = source.lastIndexOf("\n", start) + 1;
  const place = `${source.slice(from, start)}[${source.slice(start, end)} → ${to || "nothing"}]`;
  return `${file} ${place.trimStart()}${source.slice(end, source.indexOf("\n", end))}`;
}

/** Returns the number of a change's line. */
export function lineOf({ source, start }) {
  return source.slice(0, start).split("\n").length;
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
