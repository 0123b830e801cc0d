import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The rooms of a folder, from the ground up: a room may import from itself and from those before it.
 * Rooms of one line do not import each other. A room is a folder, with the folders in it that have no
 * line of their own, or a file.
 */
const LAYERS = {
  src: [
    ["base64.ts", "byte-order-mark.ts", "sha256.ts", "siphash.ts", "status.ts", "lists"],
    ["errors.ts", "url"],
    ["peer.ts"],
    ["site-rules/rule.ts", "site-rules/data-lines.ts"],
    ["site-rules/language", "site-rules/apply"],
    ["site-rules"],
    ["plan"],
    ["engine"],
    ["engine/js"],
    ["engine/wasm"],
    ["engine/select.ts"],
    ["options"],
    ["explain", "surt.ts"],
    ["fingerprints.ts", "check-calls.ts", "calls.ts"],
    ["batch.ts"],
    ["normalizer.ts"],
    ["javascript.ts"],
    ["platform"],
    ["normalizers.ts"],
    ["index.ts", "js.ts"],
    ["threads", "formats", "arrow"],
    ["io"],
    ["pool", "learn", "parquet"],
    ["seen"],
    ["crawlee"],
    ["cli"],
  ],
  assembly: [
    ["memory.ts", "status.ts"],
    ["reasons.ts"],
    ["results.ts"],
    ["url"],
    ["plan.ts"],
    ["tables.ts"],
    ["options"],
    ["scan"],
    ["site-rules"],
    ["check-plan.ts"],
    ["load.ts", "row.ts"],
    ["batch.ts"],
    ["set"],
    ["index.ts"],
  ],
} as const;

/** The files of a folder and what each imports, as paths in that folder. */
function importsIn(folder: string): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d)\.ts$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const targets = [
      ...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+?)(?:\.ts)?"/g),
    ].map(([, path]) => relative(folder, join(dirname(file), `${path}.ts`)));
    imports.set(relative(folder, file), targets);
  }
  return imports;
}

/** The room with the longest name that a file is in. */
function roomOf(file: string, layers: readonly (readonly string[])[]): string | undefined {
  const rooms = layers.flat().filter((room) => file === room || file.startsWith(`${room}/`));
  return rooms.toSorted((a, b) => b.length - a.length)[0];
}

/** Imports that go up, or beside, as `from imports to`. */
function wrongWays(
  imports: ReadonlyMap<string, readonly string[]>,
  layers: readonly (readonly string[])[],
): string[] {
  const level = (file: string): number => {
    const room = roomOf(file, layers) as string;
    return layers.findIndex((rooms) => rooms.includes(room));
  };
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter(
        (target) => roomOf(file, layers) !== roomOf(target, layers) && level(target) >= level(file),
      )
      .map((target) => `${file} imports ${target}`),
  );
}

/** The files of a circle of imports, or null where there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const target of imports.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle !== null) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const circle = visit(file, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe.each(Object.entries(LAYERS))("%s", (name, layers) => {
  const imports = importsIn(join(root, name));

  test("has every file in a room", () => {
    expect([...imports.keys()].filter((file) => roomOf(file, layers) === undefined)).toEqual([]);
  });

  test("has no room that nothing is in", () => {
    const rooms = new Set([...imports.keys()].map((file) => roomOf(file, layers)));
    expect(layers.flat().filter((room) => !rooms.has(room))).toEqual([]);
  });

  test("imports from rooms below only", () => {
    expect(wrongWays(imports, layers)).toEqual([]);
  });

  test("has no files that import each other in a circle", () => {
    expect(circleIn(imports)).toBeNull();
  });
});

test("url depends on no other file of the product than status.ts", () => {
  const outside = [...importsIn(join(root, "src"))]
    .filter(([file]) => file.startsWith("url/"))
    .flatMap(([, targets]) => targets.filter((target) => !target.startsWith("url/")));
  expect([...new Set(outside)].toSorted()).toEqual(["status.ts"]);
});

describe("the check of layers itself", () => {
  const layers = [["low"], ["middle", "beside"], ["high.ts"]];

  test("finds an import that goes up, with both files", () => {
    const imports = new Map([
      ["low/a.ts", ["high.ts"]],
      ["middle/b.ts", ["low/a.ts", "beside/c.ts", "middle/d.ts"]],
    ]);
    expect(wrongWays(imports, layers)).toEqual([
      "low/a.ts imports high.ts",
      "middle/b.ts imports beside/c.ts",
    ]);
  });

  test("finds a circle, with its files", () => {
    const imports = new Map([
      ["a.ts", ["b.ts"]],
      ["b.ts", ["c.ts"]],
      ["c.ts", ["b.ts"]],
    ]);
    expect(circleIn(imports)).toEqual(["b.ts", "c.ts", "b.ts"]);
  });
});
