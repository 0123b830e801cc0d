// Compiles a module of assembly/ in this process, with one file changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { ROOT } from "../copy-tree.mjs";

/**
 * Returns the bytes of a module, or null if it does not compile. `sources` has the text of files that differ from those of
 * the project. `level` is how far the module is optimized: the release has 3.
 */
export async function compile({ target, entry }, sources, level) {
  let bytes = null;
  const ignore = { write: () => {} };
  const { error } = await asc.main(
    [
      ...[entry, "--config", "asconfig.json", "--target", target],
      ...["--optimizeLevel", `${level}`, "--outFile", "out.wasm"],
    ],
    {
      stdout: ignore,
      stderr: ignore,
      readFile: (name) => sources[name] ?? textOf(name),
      writeFile: (_, contents) => {
        bytes = contents;
      },
      listFiles: () => [],
    },
  );
  return error === null ? bytes : null;
}

const texts = new Map();

function textOf(name) {
  let text = texts.get(name);
  if (text === undefined) {
    try {
      text = readFileSync(join(ROOT, name), "utf8");
    } catch {
      text = null;
    }
    texts.set(name, text);
  }
  return text;
}
