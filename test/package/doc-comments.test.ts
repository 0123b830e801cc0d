import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ENTRY_POINTS } from "../../tools/entry-points.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FROM = /^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)";/gm;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/;
const MEMBER =
  /^ {2}(?![\w *]*#|private )(?:(?:readonly|static|async|override|get) |\*)*(\[?[A-Za-z][\w.]*\]?)/;

/** A symbol that callers can use: where it is declared, and whether a doc comment is above it. */
interface PublicSymbol {
  readonly place: string;
  readonly hasDoc: boolean;
}

type Read = (file: string) => string;

/** The symbols that a file declares, by name; the members of a class or interface as `Name.member`. */
function declaredIn(file: string, read: Read): Map<string, PublicSymbol> {
  const symbols = new Map<string, PublicSymbol>();
  const lines = read(file).split("\n");
  let owner: string | null = null;
  for (const [index, line] of lines.entries()) {
    const hasDoc = (lines[index - 1] ?? "").trimEnd().endsWith("*/");
    const declared = DECLARATION.exec(line)?.[1];
    if (declared !== undefined) owner = /(class|interface) .*\{$/.test(line) ? declared : null;
    else if (line === "}") owner = null;
    const member = owner === null ? undefined : MEMBER.exec(line)?.[1];
    const name = declared ?? (member === undefined ? undefined : `${owner}.${member}`);
    // The comment of an overload is above the first one.
    if (name === undefined || symbols.has(name)) continue;
    symbols.set(name, { place: `${file}:${index + 1} ${name}`, hasDoc });
  }
  return symbols;
}

/** The symbols that can be reached from a file, with those that it exports from other files. */
function exportedBy(file: string, read: Read): PublicSymbol[] {
  const symbols = [...declaredIn(file, read).values()];
  for (const [, names = "", path = ""] of read(file).matchAll(FROM)) {
    const from = join(dirname(file), path);
    const wanted =
      names === "*"
        ? null
        : [...names.matchAll(/(?:type )?(\w+)(?: as \w+)?\s*[,}]/g)].map(([, name]) => name);
    for (const symbol of exportedBy(from, read)) {
      const [name = ""] = (symbol.place.split(" ")[1] ?? "").split(".");
      if (wanted === null || wanted.includes(name)) symbols.push(symbol);
    }
  }
  return symbols;
}

function withoutDoc(file: string, read: Read): string[] {
  const missing = exportedBy(file, read).filter(({ hasDoc }) => !hasDoc);
  return [...new Set(missing.map(({ place }) => place))];
}

const readSource: Read = (file) => readFileSync(join(root, "src", file), "utf8");

test.each(ENTRY_POINTS)("$name exports nothing without a doc comment", ({ file }) => {
  expect(withoutDoc(`${file}.ts`, readSource)).toEqual([]);
});

test("an entry point exports the symbols that callers know", () => {
  const names = exportedBy("index.ts", readSource).map(({ place }) => place.split(" ")[1]);
  expect(names).toEqual(
    expect.arrayContaining([
      "createNormalizer",
      "Normalizer",
      "Normalizer.normalizeBatch",
      "Normalizer.profileId",
      "Status",
      "NormalizerOptions.maxLength",
      "EngineChoice",
    ]),
  );
  expect(names).not.toContain("Engine");
});

describe("the check of doc comments itself", () => {
  const files: Record<string, string> = {
    "index.ts": [
      'export type { Options } from "./options.ts";',
      "export {",
      "  type Kind,",
      "  run,",
      '} from "./run.ts";',
      'export * from "./all.ts";',
      "const own = 1;",
    ].join("\n"),
    "options.ts": [
      "/** Holds options. */",
      "export interface Options {",
      "  /** Names it. */",
      "  readonly name: string;",
      "  readonly size: number;",
      "}",
    ].join("\n"),
    "run.ts": [
      "export type Kind = string;",
      "/** Runs. */",
      "export function run(): void;",
      "export function run(): void {}",
      "export const notExported = 1;",
    ].join("\n"),
    "all.ts": [
      "/** Does all. */",
      "export class All {",
      "  readonly #secret = 1;",
      "  private constructor() {}",
      "  async go(",
      "    fast: boolean,",
      "  ): Promise<void> {",
      "    await this.#hidden(fast);",
      "  }",
      "  /** Ends all. */",
      "  [Symbol.asyncDispose](): void {}",
      "}",
    ].join("\n"),
  };

  test("finds exports and members without a comment, with file and line", () => {
    expect(withoutDoc("index.ts", (file) => files[file] as string)).toEqual([
      "options.ts:5 Options.size",
      "run.ts:1 Kind",
      "all.ts:5 All.go",
    ]);
  });
});
