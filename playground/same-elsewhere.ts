import { programOf } from "../tools/program-text.mjs";
import type { Options } from "./option-values.ts";

/** Says what is deduped, for a command and a program that do the same. */
export interface SameList {
  /** Names the file. */
  readonly name: string;
  readonly options: Options;
  /** Says whether some lines are not URLs: the page leaves them out. */
  readonly hasErrors: boolean;
}

/** Names the options whose values are texts of files, with the file that each is in. */
const FILES: Readonly<Record<string, string>> = { rules: "rules.tsv", pageAliases: "aliases.tsv" };

/** Returns the command that dedupes a list as the page does. */
export function commandOf({ name, options, hasErrors }: SameList): string {
  const flags = Object.entries(options).flatMap(([option, value]) =>
    textsOf(option, value).map((text) => `--${kebab(option)} ${quoted(text)}`),
  );
  const rest = hasErrors ? ["--on-error empty"] : [];
  return ["npx urlmill dedupe", ...flags, ...rest, `${quoted(name)} > unique.txt`].join(" ");
}

/** Returns the program that dedupes a list of URLs as the page does. */
export function codeOf({ options, hasErrors }: SameList): string {
  const files = Object.keys(options).filter((option) => Object.hasOwn(FILES, option));
  const others = Object.entries(options).filter(([option]) => !files.includes(option));
  const members = [
    programOf(Object.fromEntries(others)),
    ...files.map((option) => `${option}: readFileSync("${FILES[option]}", "utf8")`),
  ].filter((text) => text !== "");
  const object = `{ ${members.join(", ")} }`;
  const imports = files.length > 0 ? ['import { readFileSync } from "node:fs";'] : [];
  return [...imports, ...(hasErrors ? withoutErrors(object) : plain(object))].join("\n");
}

function plain(options: string): string[] {
  return ['import { dedupe } from "urlmill";', `const unique = dedupe(urls, ${options});`];
}

function withoutErrors(options: string): string[] {
  return [
    'import { dedupe, tryNormalize } from "urlmill";',
    `const options = ${options};`,
    "const isUrl = (url) => tryNormalize(url, options).ok;",
    "const unique = dedupe(urls.filter(isUrl), options);",
  ];
}

/** Returns the values of a flag: several for pairs. */
function textsOf(option: string, value: unknown): string[] {
  if (Object.hasOwn(FILES, option)) return [FILES[option] as string];
  if (Array.isArray(value)) return [value.join(",")];
  if (typeof value !== "object") return [String(value)];
  if (option === "sites") return [JSON.stringify(value)];
  return Object.entries(value as object).map(([name, text]) => `${name}=${text}`);
}

function kebab(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a word of a shell's command. */
function quoted(text: string): string {
  return /^[\w.,:=/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
