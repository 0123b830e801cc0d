// Puts the compiled kernel into dist/kernel.wasm. Puts its bytes, packed and in Base64, into a TypeScript module for
// platforms that cannot read a file; and those of the modules that only Node uses.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { publishKernel } from "./publish-kernel.mjs";

const kernel = new URL("../build/kernel.wasm", import.meta.url);
publishKernel("kernel");

const packed = brotliCompressSync(readFileSync(kernel)).toString("base64");
writeFileSync(
  new URL("../src/platform/kernel-brotli.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/.\n/** Holds the kernel in Brotli, as Base64. */\nexport const kernelBrotli: string =\n  "${packed}";\n`,
);

/** Writes the module that holds a WebAssembly module which only Node uses. */
function embed(name, source, target, constant, what) {
  const wasm = readFileSync(new URL(`../build/${name}.wasm`, import.meta.url));
  const text = brotliCompressSync(wasm).toString("base64");
  writeFileSync(
    new URL(`../src/${target}.generated.ts`, import.meta.url),
    `// Written by tools/embed-kernel.mjs from assembly/${source}/.\n/** Holds the ${what} in Brotli, as Base64. */\nexport const ${constant}: string =\n  "${text}";\n`,
  );
}

embed("scanner", "records", "formats/scan/scanner", "SCANNER", "scanner of records");
embed("pages", "pages", "parquet/memory/page-kernel", "PAGE_KERNEL", "page kernel");
embed("lists", "lists", "runs/filter/list-kernel", "LIST_KERNEL", "list kernel");
embed("disk", "disk", "seen/disk/kernel/disk-kernel", "DISK_KERNEL", "kernel of sets on disk");
embed("sort", "sort", "runs/cdx/sort-kernel", "SORT_KERNEL", "sort kernel");
