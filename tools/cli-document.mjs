// Makes docs/cli.md: text for readers, then the help of each command of the built command line.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MARK = "<!-- From here on `npm run docs` writes what `urlmill help COMMAND` prints. -->\n";
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const helpOf = (...command) =>
  execFileSync(process.execPath, [main, "help", ...command], { encoding: "utf8" });

/** Returns the commands that the help names, with those of `learn`. */
function commands() {
  const named = (help, pattern) => [...help.matchAll(pattern)].map(([, name]) => name);
  const top = named(helpOf(), /^ {2}urlmill (\w+)(?: \[?[A-Z…[\]]+)? {2,}\S/gm);
  const parts = named(helpOf("learn"), /^ {2}urlmill learn (\w+) {2,}\S/gm);
  return top.flatMap((name) =>
    name === "learn" ? [[name], ...parts.map((part) => [name, part])] : [[name]],
  );
}

/** Returns the document with the help of each command after the mark. */
export function withCommands(document) {
  const [text] = document.split(MARK);
  const sections = commands().map(
    (command) => `\n### ${command.join(" ")}\n\n\`\`\`text\n${helpOf(...command)}\`\`\`\n`,
  );
  return `${text}${MARK}${sections.join("")}`;
}
