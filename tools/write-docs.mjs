// Writes the generated parts of the documents: docs/api.md from doc comments, the end of docs/cli.md from the built
// command line, and the layers in ARCHITECTURE.md. `npm run docs`
import { readFileSync, writeFileSync } from "node:fs";
import { apiDocument } from "./api-document.mjs";
import { helpOfBuild, withCommands } from "./cli-document.mjs";
import { withLayers } from "./layers.mjs";

const cli = new URL("../docs/cli.md", import.meta.url);
writeFileSync(cli, await withCommands(readFileSync(cli, "utf8"), helpOfBuild));
writeFileSync(new URL("../docs/api.md", import.meta.url), apiDocument());

const architecture = new URL("../ARCHITECTURE.md", import.meta.url);
writeFileSync(architecture, withLayers(readFileSync(architecture, "utf8")));
