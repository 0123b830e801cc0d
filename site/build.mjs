// Builds the site: the documents with VitePress, and the playground in them. `npm run site`
// An argument names the path of the site on its server: `npm run site -- /urlmill/`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const site = fileURLToPath(new URL(".", import.meta.url));
const [base = "/"] = process.argv.slice(2);
if (!/^\/(?:[\w.-]+\/)*$/.test(base))
  throw new Error(`the path of the site must begin and end with a slash: ${base}`);

/** Says whether the packages are those of the lock file: npm keeps a copy of it with what it installed. */
function isInstalled() {
  const installed = `${site}node_modules/.package-lock.json`;
  if (!existsSync(installed)) return false;
  const [wanted, found] = [`${site}package-lock.json`, installed].map((file) =>
    JSON.parse(readFileSync(file, "utf8")),
  );
  const { "": _, ...packages } = wanted.packages;
  return Object.entries(found.packages).every(
    ([name, { version }]) => packages[name]?.version === version,
  );
}

const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: site, stdio: "inherit", env: { ...process.env, ...env } });

if (!isInstalled()) run("npm", ["ci", "--ignore-scripts"]);
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"], {
  URLMILL_SITE_BASE: base,
});
run(process.execPath, ["../playground/build.mjs"]);
console.log("The pages need a server: cd site && npx vitepress preview");
