// Writes the manual page of the built command line to dist/urlmill.1.gz, which package.json names for npm to install.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const page = execFileSync(process.execPath, [main, "man"]);
writeFileSync(new URL("../dist/urlmill.1.gz", import.meta.url), gzipSync(page, { level: 9 }));
