// Counts the code points whose hosts the parser of Node reads in another way than urlmill: `npm run proof unicode`.
//
//   -- 20 26    Nodes from the registry, on Linux for x64; without them, the one that runs
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNormalizer } from "../../dist/index.js";
import { installNode } from "./install-node.mjs";

const LAST = 0x10ffff;
/** A code point alone, between letters that run to the right, and between letters that run to the left. */
const HOSTS = [(each) => each, (each) => `a${each}b`, (each) => `\u05d0${each}\u05d0`];

const versions = process.argv.slice(2);
if (versions.length === 0) count();
else runOn(versions);

function runOn(versions) {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-unicode-"));
  try {
    for (const version of versions) {
      const node = installNode(version, folder);
      const { status } = spawnSync(node, [fileURLToPath(import.meta.url)], { stdio: "inherit" });
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function count() {
  const characters = [];
  for (let code = 0x80; code <= LAST; code++) {
    if (code < 0xd800 || code > 0xdfff) characters.push(String.fromCodePoint(code));
  }
  const differ = new Set();
  for (const hostOf of HOSTS) {
    const urls = characters.map((each) => `http://${hostOf(each)}/`);
    for (const [row, ours] of createNormalizer().normalizeBatch(urls).urls.entries()) {
      if ((URL.canParse(urls[row]) ? new URL(urls[row]).href : null) !== ours)
        differ.add(characters[row]);
    }
  }
  const newer = [...differ].filter((each) => /\p{Cn}/u.test(each)).length;
  console.log(`Node ${process.versions.node}, ada ${process.versions.ada}`);
  console.log(`${newer} code points that are newer than Unicode ${process.versions.unicode}`);
  console.log(`${differ.size - newer} others`);
}
