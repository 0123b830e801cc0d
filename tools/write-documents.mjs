// Writes documents of the built command line to dist: the JSON Schema of configuration files, without spaces,
// the manual page, which package.json names for npm to install, and the specification, for `urlmill help STEP`.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const run = (command) => execFileSync(process.execPath, [main, command]);
writeFileSync(
  new URL("../dist/config.schema.json", import.meta.url),
  JSON.stringify(JSON.parse(run("schema"))),
);
writeCompressed("urlmill.1.gz", run("man"));
writeCompressed("spec.md.gz", readFileSync(new URL("../docs/spec.md", import.meta.url)));

function writeCompressed(name, content) {
  writeFileSync(new URL(`../dist/${name}`, import.meta.url), gzipSync(content, { level: 9 }));
}
