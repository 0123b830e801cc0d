// Builds the site: the documents with VitePress, and the playground in them. `npm run site`
// An argument names the path of the site on its server: `npm run site -- /urlmill/`.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const site = fileURLToPath(new URL(".", import.meta.url));
const [base = "/"] = process.argv.slice(2);
if (!/^\/(?:[\w.-]+\/)*$/.test(base))
  throw new Error(`the path of the site must begin and end with a slash: ${base}`);

const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: site, stdio: "inherit", env: { ...process.env, ...env } });

if (!existsSync(`${site}node_modules/vitepress`)) run("npm", ["ci", "--ignore-scripts"]);
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"], {
  URLMILL_SITE_BASE: base,
});
run(process.execPath, ["../playground/build.mjs"]);
