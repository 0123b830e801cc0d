// Makes docs/cli.md: text for readers, then the help of each command of the built command line.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MARK = "<!-- From here on `npm run docs` writes what `urlmill help COMMAND` prints. -->\n";
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Returns what the built command line prints of a command, given as words. */
export async function helpOfBuild(...command) {
  return execFileSync(process.execPath, [main, "help", ...command], { encoding: "utf8" });
}

/** Returns the commands that the help names, with those of `learn`. */
async function commands(helpOf) {
  const named = (help, pattern) => [...help.matchAll(pattern)].map(([, name]) => name);
  const top = named(await helpOf(), /^ {2}urlmill (\w+)(?: \[?[A-Z…[\]]+)? {2,}\S/gm);
  const parts = named(await helpOf("learn"), /^ {2}urlmill learn (\w+) {2,}\S/gm);
  return top.flatMap((name) =>
    name === "learn" ? [[name], ...parts.map((part) => [name, part])] : [[name]],
  );
}

/** Returns the document with the help of each command after the mark. `helpOf` gives the help of a command. */
export async function withCommands(document, helpOf) {
  const [text] = document.split(MARK);
  const sections = [];
  for (const command of await commands(helpOf)) {
    const help = await helpOf(...command);
    sections.push(`\n### ${command.join(" ")}\n\n\`\`\`text\n${help}\`\`\`\n`);
  }
  return `${text}${MARK}${sections.join("")}`;
}
