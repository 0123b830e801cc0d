// Prints the digests in Node, Deno or Bun; the argument is the list.
import { readFileSync } from "node:fs";
import { createNormalizer } from "urlmill";
import { createNormalizer as createJs } from "urlmill/js";
import { digestOf } from "./digest.mjs";

const bytes = new Uint8Array(readFileSync(process.argv[2]));
const { bun, deno, node } = process.versions;
const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`;
const results = [
  await digestOf(createNormalizer, "auto", bytes),
  await digestOf(createNormalizer, "wasm", bytes),
  await digestOf(createJs, undefined, bytes),
];
console.log(JSON.stringify({ runtime, results }));
