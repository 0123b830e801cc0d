// Makes docs/commands.md: the help of each command of the built command line. The flags of
// options, which four commands have, stand once at the end.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MARK = "<!-- From here on `npm run docs` writes what `urlmill help COMMAND` prints. -->\n";
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** Matches the groups of flags that are options of a normalizer, in the help of a command. */
const OPTIONS = /^Options; [\s\S]*^Query and fragment:\n(?: .*\n)*\n/m;

/** Returns what the built command line prints of a command, given as words. */
export async function helpOfBuild(...command) {
  return execFileSync(process.execPath, [main, "help", ...command], { encoding: "utf8" });
}

/** The commands that have parts. */
const WITH_PARTS = ["seen", "learn"];

/** Returns the commands that the help names, and their parts. */
async function commands(helpOf) {
  const named = (help, pattern) => [...help.matchAll(pattern)].map(([, name]) => name);
  const top = named(await helpOf(), /^ {2}urlmill (\w+)(?: \[?[A-Z…[\]]+)* {2,}\S/gm);
  const all = [];
  for (const name of top) {
    all.push([name]);
    if (!WITH_PARTS.includes(name)) continue;
    const parts = named(
      await helpOf(name),
      new RegExp(`^ {2}urlmill ${name} (\\w+) {2,}\\S`, "gm"),
    );
    for (const part of parts) all.push([name, part]);
  }
  return all;
}

/** Returns the document with the help of each command after the mark. `helpOf` gives the help of a command. */
export async function withCommands(document, helpOf) {
  const [text] = document.split(MARK);
  const sections = [];
  const takers = [];
  const shared = new Set();
  for (const command of await commands(helpOf)) {
    const help = await helpOf(...command);
    const [options] = OPTIONS.exec(help) ?? [];
    sections.push(section(command.join(" "), help.replace(OPTIONS, "")));
    if (options === undefined) continue;
    sections.push("\nIt also takes the [flags of options](#flags-of-options).\n");
    takers.push(`\`${command.join(" ")}\``);
    shared.add(options.trimEnd());
  }
  if (shared.size !== 1)
    throw new Error(`the help has ${shared.size} versions of the flags of options`);
  const [options] = shared;
  const last = section("flags of options", `${options}\n`, takersText(takers));
  return `${text}${MARK}${sections.join("")}${last}`;
}

function section(title, content, intro = "") {
  return `\n## ${title}\n\n${intro}\`\`\`text\n${content}\`\`\`\n`;
}

function takersText(takers) {
  const names = `${takers.slice(0, -1).join(", ")} and ${takers.at(-1)}`;
  return `${names} take them. [Options](options.md) has an example of each.\n\n`;
}
