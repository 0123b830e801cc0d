import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The packages of programs that Node runs. npm's own names for them are scripts, which Windows starts only in a shell. */
const PACKAGES = { vitest: "vitest", tsc: "typescript", rolldown: "rolldown" };

/** Returns the words that start a program. */
function programOf(name) {
  if (name === "node") return [process.execPath];
  if (PACKAGES[name] === undefined) return [name];
  const folder = new URL(`../node_modules/${PACKAGES[name]}/`, import.meta.url);
  const { bin } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  return [process.execPath, fileURLToPath(new URL(bin[name], folder))];
}

/**
 * Runs the commands that the first argument names, with the arguments after it, until one fails. Lists the names if there is
 * none, or an unknown one. Each program is its commands: words, with variables for the environment before them.
 */
export function runByName(script, programs, [name, ...args]) {
  const commands = Object.hasOwn(programs, name ?? "") ? programs[name] : undefined;
  if (commands === undefined) {
    const names = Object.keys(programs).map((known) => `  npm run ${script} ${known}\n`);
    const unknown = name === undefined ? "" : `There is no ${script} ${name}. `;
    process.stderr.write(`${unknown}Run one of\n${names.join("")}`);
    process.exitCode = 2;
    return;
  }
  for (const [at, command] of commands.entries()) {
    const words = command.split(" ");
    const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    const variables = Object.fromEntries(words.slice(0, first).map((word) => word.split("=")));
    const last = at === commands.length - 1 ? args : [];
    const [program, ...own] = programOf(words[first]);
    const { status, error } = spawnSync(program, [...own, ...words.slice(first + 1), ...last], {
      stdio: "inherit",
      env: { ...process.env, ...variables },
    });
    if (error) throw error;
    process.exitCode = status ?? 1;
    if (status !== 0) return;
  }
}
