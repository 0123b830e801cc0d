// Writes the table of src/url/idna/unicode-table.ts into the kernel as static data: the bytes that the
// JavaScript engine unpacks.
import { writeFileSync } from "node:fs";
import { importSource } from "./import-source.mjs";

const { unicodeTableBytes } = await importSource("url/idna/table-bytes.ts");
const words = new Uint32Array(unicodeTableBytes().buffer);
writeFileSync(
  new URL("../assembly/url/idna/unicode-table.generated.ts", import.meta.url),
  `// Written by tools/embed-unicode-table.mjs.\nexport const UNICODE: usize = memory.data<u32>([${words}], 16);\n`,
);
