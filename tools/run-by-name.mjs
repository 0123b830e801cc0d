import { spawnSync } from "node:child_process";
import { programOf } from "./program-of.mjs";

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
