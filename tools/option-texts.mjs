// Writes options as commands and Python have them.
import { importSource } from "./import-source.mjs";

const { flagOf } = await importSource("runs/call/flags/flag.ts");
const { shellWord } = await importSource("base/shell-word.ts");

/** Returns options as flags for a shell, which would read `*` as names of files. A flag that takes pairs is repeated. */
export function flagsOf(set) {
  return Object.entries(set)
    .flatMap(([name, value]) =>
      flagValues(value).map((text) => `--${flagOf(name)} ${shellWord(text)}`),
    )
    .join(" ");
}

function flagValues(value) {
  if (Array.isArray(value)) return [value.join(",")];
  if (typeof value !== "object") return [String(value)];
  return Object.entries(value).map(([name, other]) => `${name}=${other}`);
}

/** Returns options as arguments in Python. */
export function argumentsOf(set) {
  return Object.entries(set)
    .map(([name, value]) => `${snakeCase(name)}=${pythonOf(value)}`)
    .join(", ");
}

const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function pythonOf(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value).replaceAll('":', '": ').replaceAll('","', '", "');
}
