// Builds the playground: one page that loads nothing, with its script, its worker and the kernel in it. `npm run site`
// An argument names another folder than build/site/playground.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const root = new URL("../", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, root));
const read = (name) => readFileSync(path(name), "utf8");
const { homepage, version } = JSON.parse(read("package.json"));
const repository = homepage.split("#")[0];

/** Returns what each rule does and the anchor of its section, from the table of docs/spec.md that tests hold. */
function stepsOfSpecification() {
  const [, table = ""] = read("docs/spec.md").split("### Names of steps");
  const rows = [...table.split("\n#")[0].matchAll(/^\| `(\w+)` \| (.+?) \| \[.+\]\(#(.+)\) \|$/gm)];
  if (rows.length === 0) throw new Error("docs/spec.md has no table of steps: the page needs it");
  return Object.fromEntries(
    rows.map(([, name, text, anchor]) => [name, { text: text.replaceAll("\\|", "|"), anchor }]),
  );
}

/** Bundles a program as one script without imports. */
async function bundle(input, values) {
  const build = await rolldown({
    input: path(input),
    platform: "browser",
    logLevel: "warn",
    // The kernel is given as bytes, so nothing asks where the code lies.
    transform: { define: { "import.meta.url": "globalThis.location.href" } },
    plugins: [
      {
        name: "values",
        resolveId: (id) => (id === "virtual:values" ? id : null),
        load: (id) => (id === "virtual:values" ? values() : null),
      },
      {
        // What the page takes of the command line has the normalizers, and the kernel, of the package.
        name: "package",
        resolveId(id, importer) {
          return id === "../../index.ts" ? this.resolve("urlmill", importer) : null;
        },
      },
    ],
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  if (output.length !== 1) throw new Error(`${input} is ${output.length} files, and must be one`);
  // A closing tag in a text must not end the script of the page.
  return output[0].code.replaceAll("</script", "<\\/script");
}

const constant = (name, value) => `export const ${name} = ${JSON.stringify(value)};\n`;
const worker = await bundle("playground/worker/main.ts", () =>
  constant(
    "kernel",
    gzipSync(readFileSync(path("dist/kernel.wasm")), { level: 9 }).toString("base64"),
  ),
);
const script = await bundle("playground/page.ts", () =>
  [constant("workerCode", worker), constant("steps", stepsOfSpecification())].join(""),
);
const style = read("playground/style.css");

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
  `style-src ${hashOf(style)}`,
  "worker-src blob:",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const parts = { policy, style, script, repository, version };
const template = read("playground/index.html").replace(/<!--unbuilt-->.*<!--\/unbuilt-->\n/s, "");
// Without a function, a $ in a replacement would be read as a pattern.
const page = template.replaceAll(
  /\/\*\{\{(\w+)\}\}\*\/|\{\{(\w+)\}\}/g,
  (_, code, text) => parts[code ?? text],
);
const folder = process.argv[2] ?? path("build/site/playground");
mkdirSync(folder, { recursive: true });
const file = join(folder, "index.html");
writeFileSync(file, page);
console.log(`${file}: ${(page.length / 1000).toFixed(0)} kB`);
