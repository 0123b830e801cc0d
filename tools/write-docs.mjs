// Writes the generated parts of docs: docs/api.md from doc comments, and the end of docs/cli.md from the
// built command line. `npm run docs`
import { readFileSync, writeFileSync } from "node:fs";
import { apiDocument } from "./api-document.mjs";
import { helpOfBuild, withCommands } from "./cli-document.mjs";

const cli = new URL("../docs/cli.md", import.meta.url);
writeFileSync(cli, await withCommands(readFileSync(cli, "utf8"), helpOfBuild));
writeFileSync(new URL("../docs/api.md", import.meta.url), apiDocument());
