// Brings the table of src/url/idna/unicode-table.ts into the kernel: the bytes that the JavaScript engine unpacks, as static
// data.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const build = await rolldown({
  input: fileURLToPath(new URL("../src/url/idna/table-bytes.ts", import.meta.url)),
});
const { output } = await build.generate({ format: "esm" });
const code = `data:text/javascript,${encodeURIComponent(output[0].code)}`;
const { unicodeTableBytes } = await import(code);
const words = new Uint32Array(unicodeTableBytes().buffer);
writeFileSync(
  new URL("../assembly/url/idna/unicode-table.generated.ts", import.meta.url),
  `// Written by tools/embed-unicode-table.mjs.\nexport const UNICODE: usize = memory.data<u32>([${words}], 16);\n`,
);
