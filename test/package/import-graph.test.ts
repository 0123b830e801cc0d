import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ENTRY_POINTS } from "../../tools/entry-points.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Loaded {
  /** Files of the package, from dist/. */
  readonly files: string[];
  /** What statements import from Node and from other packages. */
  readonly others: string[];
  readonly bytes: number;
}

/** An import that Node follows before any call. */
const STATIC = /(?:\bfrom|\bimport) ?"([^"]+)"/g;

/** What Node loads with a file, by imports that `pattern` matches. */
function loadedWith(entry: string, pattern = STATIC): Loaded {
  const files = new Set<string>();
  const others = new Set<string>();
  const visit = (url: URL): void => {
    const file = fileURLToPath(url).slice(`${root}/dist/`.length - (root.endsWith("/") ? 1 : 0));
    if (files.has(file)) return;
    files.add(file);
    for (const [, name = ""] of readFileSync(url, "utf8").matchAll(pattern)) {
      if (name === "#platform") visit(new URL("../platform/node.js", url));
      else if (name.startsWith(".")) visit(new URL(name, url));
      else others.add(name);
    }
  };
  visit(new URL(`../../dist/${entry}`, import.meta.url));
  const bytes = [...files].reduce(
    (sum, file) => sum + readFileSync(`${root}/dist/${file}`).length,
    0,
  );
  return { files: [...files], others: [...others], bytes };
}

test("urlmill loads four files of 75 KB, and nothing of Node", () => {
  const { files, others, bytes } = loadedWith("index.js");
  expect(files.toSorted()).toEqual([
    "index.js",
    "platform/node.js",
    "shared/base.js",
    "shared/core.js",
  ]);
  expect(others).toEqual([]);
  expect(bytes).toBeLessThan(75_900);
});

test.each(["pool/index.js", "seen/index.js", "crawlee/index.js"])(
  "%s loads neither the JavaScript engine nor anything of Node",
  (entry) => {
    const { files, others, bytes } = loadedWith(entry);
    expect(files).not.toContain("shared/reading.js");
    expect(others).toEqual([]);
    expect(bytes).toBeLessThan(121_400);
  },
);

/** An import that Node follows, before any call or in one. */
const ANY = /(?:\bfrom|\bimport\(?) ?["`]([^"`]+)["`]/g;

test.each(ENTRY_POINTS.map(({ file }) => file))(
  "%s imports no module of Node, also not by what it loads later, so that bundlers for browsers take it",
  (file) => {
    const { others } = loadedWith(`${file}.js`, ANY);
    expect(others.filter((name) => name.startsWith("node:"))).toEqual([]);
  },
);

test("no entry of a program reaches the command line, also not by what it loads later", () => {
  const reached = ENTRY_POINTS.flatMap(({ file }) => loadedWith(`${file}.js`, ANY).files);
  const own = ["shared/start.js", "shared/help.js", "shared/worker.js", "shared/command.js"];
  expect(reached.filter((file) => own.includes(file))).toEqual([]);
  expect(reached).toContain("shared/journal.js");
});

test("urlmill/learn loads nothing of Node or of other packages, so that it runs in a browser", () => {
  expect(loadedWith("learn/index.js").others).toEqual([]);
});

test("the JavaScript engine is loaded when something needs it, without a warning", () => {
  const script = `
    import { createNormalizer } from "urlmill";
    const n = createNormalizer();
    const one = n.normalize("HTTP://A");
    console.log(one, n.normalize("x", "http://b\\u00fccher.de/"), n.surt("http://a.b/"), createNormalizer({ engine: "js" }).engine);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual(["http://a/ http://xn--bcher-kva.de/x b,a)/ js\n", ""]);
});

test("the command line answers --version with few files, and leaves commands for later", () => {
  const { files, others, bytes } = loadedWith("cli/command-line.js");
  expect(files.length).toBeLessThan(10);
  expect(bytes).toBeLessThan(50_000);
  expect(others.filter((name) => !["node:fs", "node:util"].includes(name))).toEqual([]);
});
