// Puts the compiled kernel into dist/kernel.wasm. Puts its bytes, packed and in Base64, into a TypeScript
// module for platforms that cannot read a file; and those of the scanner, the page kernel and the list kernel, which only Node uses.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const kernel = new URL("../build/kernel.wasm", import.meta.url);
mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
copyFileSync(kernel, new URL("../dist/kernel.wasm", import.meta.url));
const packed = brotliCompressSync(readFileSync(kernel)).toString("base64");
writeFileSync(
  new URL("../src/platform/kernel-brotli.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/.\n/** Holds the kernel in Brotli, as Base64. */\nexport const kernelBrotli: string =\n  "${packed}";\n`,
);

const scanner = brotliCompressSync(readFileSync(new URL("../build/scanner.wasm", import.meta.url)));
writeFileSync(
  new URL("../src/formats/scan/scanner.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/records/.\n/** Holds the scanner of records in Brotli, as Base64. */\nexport const SCANNER: string =\n  "${scanner.toString("base64")}";\n`,
);

const pages = brotliCompressSync(readFileSync(new URL("../build/pages.wasm", import.meta.url)));
writeFileSync(
  new URL("../src/parquet/memory/page-kernel.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/pages/.\n/** Holds the page kernel in Brotli, as Base64. */\nexport const PAGE_KERNEL: string =\n  "${pages.toString("base64")}";\n`,
);

const lists = brotliCompressSync(readFileSync(new URL("../build/lists.wasm", import.meta.url)));
writeFileSync(
  new URL("../src/runs/filter/list-kernel.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/lists/.\n/** Holds the list kernel in Brotli, as Base64. */\nexport const LIST_KERNEL: string =\n  "${lists.toString("base64")}";\n`,
);
