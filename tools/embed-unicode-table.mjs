// Brings the table of src/url/idna/unicode-table.ts into the kernel: the same bytes as static data.
import { readFileSync, writeFileSync } from "node:fs";

const source = readFileSync(new URL("../src/url/idna/unicode-table.ts", import.meta.url), "utf8");
const table = Buffer.from(source.match(/"([A-Za-z0-9+/=]{1000,})"/)[1], "base64");
const words = Array.from({ length: table.length / 4 }, (_, index) => table.readUInt32LE(4 * index));
writeFileSync(
  new URL("../assembly/url/idna/unicode-table.generated.ts", import.meta.url),
  `// Written by tools/embed-unicode-table.mjs.\nexport const UNICODE: usize = memory.data<u32>([${words}], 16);\n`,
);
