// Writes the generated parts of the documents: docs/api from doc comments, docs/commands.md from the built command line,
// the formats of docs/cli.md, the tables of the catalogs, the version of a plan, the layers of folders, and the names of
// options in Python's help. `npm run docs`
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { apiPages } from "./api/pages.mjs";
import { badges } from "./badges.mjs";
import {
  withFormats,
  withOptionNames,
  withOptions,
  withPlanVersion,
  withSteps,
} from "./catalog-documents.mjs";
import { helpOfBuild, withCommands } from "./cli-document.mjs";
import { withDocuments } from "./document-list.mjs";
import { LAYER_DOCUMENTS, withLayers } from "./layers.mjs";

const commands = new URL("../docs/commands.md", import.meta.url);
writeFileSync(commands, await withCommands(readFileSync(commands, "utf8"), helpOfBuild));

const api = new URL("../docs/api/", import.meta.url);
rmSync(api, { recursive: true, force: true });
mkdirSync(api);
for (const [name, text] of Object.entries(apiPages())) writeFileSync(new URL(name, api), text);
const drawn = new URL("../docs/badges/", import.meta.url);
for (const [name, svg] of Object.entries(badges())) writeFileSync(new URL(name, drawn), svg);

rewrite("docs/cli.md", withFormats);
rewrite("docs/spec.md", withSteps);
rewrite("docs/options.md", withOptions);
rewrite("docs/README.md", withDocuments);
rewrite("docs/kernel.md", withPlanVersion);
rewrite("python/src/urlmill/_normalizer.py", withOptionNames);
for (const [path, folders] of Object.entries(LAYER_DOCUMENTS)) {
  rewrite(path, (text) => withLayers(text, folders));
}

function rewrite(name, change) {
  const file = new URL(`../${name}`, import.meta.url);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
