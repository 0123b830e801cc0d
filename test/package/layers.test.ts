import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LAYERS } from "../../tools/layers.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ROOMS = Object.entries(LAYERS).map(
  ([folder, layers]) => [folder, layers.map(([rooms]) => rooms)] as const,
);

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

/** All folders that files are in, below the root of their paths. */
function foldersOf(files: Iterable<string>): string[] {
  const folders = new Set<string>(["."]);
  for (const file of files) {
    for (let at = dirname(file); at !== "."; at = dirname(at)) folders.add(at);
  }
  return [...folders];
}

/**
 * A circle of the rooms of a folder, each a sub-folder or a file in it, or null. Has an import from each room to the
 * next, as `from imports to`.
 */
function circleOfRooms(
  imports: ReadonlyMap<string, readonly string[]>,
  folder: string,
): string[] | null {
  const inside = folder === "." ? "" : `${folder}/`;
  const roomIn = (file: string): string | undefined =>
    file.startsWith(inside) ? file.slice(inside.length).split("/", 1)[0] : undefined;
  const arrows = new Map<string, Map<string, string>>();
  for (const [file, targets] of imports) {
    const from = roomIn(file);
    for (const target of targets) {
      const to = roomIn(target);
      if (from === undefined || to === undefined || from === to) continue;
      if (!arrows.has(from)) arrows.set(from, new Map());
      arrows.get(from)?.set(to, `${file} imports ${target}`);
    }
  }
  const circle = circleIn(new Map([...arrows].map(([from, to]) => [from, [...to.keys()]])));
  return (
    circle?.slice(1).map((to, at) => arrows.get(circle[at] as string)?.get(to) as string) ?? null
  );
}

describe.each(ROOMS)("%s", (name, layers) => {
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
});

describe.each(["src", "assembly"])("%s, at any depth,", (name) => {
  const imports = importsIn(join(root, name));

  test("has no files that import each other in a circle", () => {
    expect(circleIn(imports)).toBeNull();
  });

  test("has no folder whose rooms import each other in a circle", () => {
    const circles = foldersOf(imports.keys()).flatMap(
      (folder) => circleOfRooms(imports, folder) ?? [],
    );
    expect(circles).toEqual([]);
  });
});

test("url depends on nothing but base", () => {
  const outside = [...importsIn(join(root, "src"))]
    .filter(([file]) => file.startsWith("url/"))
    .flatMap(([, targets]) => targets.filter((target) => !/^(?:url|base)\//.test(target)));
  expect(outside).toEqual([]);
});

test("only the entries of the package import a platform", () => {
  const importers = [...importsIn(join(root, "src"))]
    .filter(
      ([file, targets]) =>
        !file.startsWith("platform/") && targets.some((target) => target.startsWith("platform/")),
    )
    .map(([file]) => file);
  expect(importers.toSorted()).toEqual(["js.ts", "normalizers.ts"]);
});

test("rooms that run everywhere import no module of Node", () => {
  const rooms = /^src\/(?:base|url|site-rules|options|plan|engine|normalizer)\//;
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => rooms.test(file) && file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(80);
  const importers = files.filter((file) =>
    /from "node:/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(importers).toEqual([]);
});

const most = (folder: string): number => (folder === "." ? 3 : 15);

test("a folder has at most fifteen files, and the root of src three", () => {
  const files = [...importsIn(join(root, "src")).keys()];
  const counts: Record<string, number> = {};
  for (const folder of files.map(dirname)) counts[folder] = (counts[folder] ?? 0) + 1;
  const full = Object.entries(counts).filter(([folder, count]) => count > most(folder));
  expect(full).toEqual([]);
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

  test("finds a circle of rooms whose files are in none, with an import of each room", () => {
    const imports = new Map([
      ["in/low/a.ts", ["out/d.ts", "in/low/c.ts", "in/b.ts"]],
      ["in/b.ts", ["in/low/c.ts"]],
      ["in/low/c.ts", ["out/d.ts"]],
      ["in/high/e.ts", ["in/low/a.ts"]],
    ]);
    expect(foldersOf(imports.keys())).toEqual([".", "in/low", "in", "in/high"]);
    expect(circleIn(imports)).toBeNull();
    expect(circleOfRooms(imports, "in")).toEqual([
      "in/low/a.ts imports in/b.ts",
      "in/b.ts imports in/low/c.ts",
    ]);
    expect(circleOfRooms(imports, "in/low")).toBeNull();
  });
});
