// Writes documents of the built command line to dist: the JSON Schema of configuration files, without spaces,
// and the manual page, which package.json names for npm to install.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const run = (command) => execFileSync(process.execPath, [main, command]);
writeFileSync(
  new URL("../dist/config.schema.json", import.meta.url),
  JSON.stringify(JSON.parse(run("schema"))),
);
writeFileSync(new URL("../dist/urlmill.1.gz", import.meta.url), gzipSync(run("man"), { level: 9 }));
