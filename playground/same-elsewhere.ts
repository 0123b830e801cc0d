import { shellWord } from "../src/base/shell-word.ts";
import { flagsText, optionFlags } from "../src/cli/compare/option-flags.ts";
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
  const flags = flagsText(optionFlags({ ...options, ...filesOf(options) }));
  const onError = hasErrors ? "--on-error empty" : "";
  // Not `>`: a shell would empty a list of this name, which is what the page saves.
  const parts = ["npx urlmill dedupe", flags, onError, `${shellWord(name)} -o unique.txt`];
  return parts.filter((part) => part !== "").join(" ");
}

/** Returns the options whose values are in files, with the names of the files. */
function filesOf(options: Options): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(FILES).filter(([option]) => Object.hasOwn(options, option)),
  );
}

/** Returns the program that dedupes a list of URLs as the page does. */
export function codeOf({ options, hasErrors }: SameList): string {
  const files = Object.keys(filesOf(options));
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
