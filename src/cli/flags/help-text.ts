import { wrap } from "../../io/text/wrap.ts";
import type { Flag } from "../../runs/call/flags/flag.ts";
import { type Command, shortText } from "./command.ts";
import { COMMAND_LIST } from "./commands.ts";

/** The column where the text of a flag begins. */
const COLUMN = 26;

/** Returns what `urlmill --help` prints. */
export function usage(): string {
  return `urlmill: one canonical form for every URL

${commandLines(COMMAND_LIST).join("\n")}

  urlmill normalize --preset crawl urls.txt > normalized.txt
  urlmill dedupe --preset crawl --stats urls.txt > unique.txt
  urlmill dedupe crawl.csv -o unique.csv
  urlmill 'HTTP://Example.com/a/../b'

Reads standard input without FILE or for "-", writes standard output; gzip and
zstd are known by their first bytes.
urlmill help COMMAND lists the flags, urlmill help STEP says what a step does,
urlmill --version prints the version.
`;
}

/** Returns the short help of a command: the flags that most calls need. */
export function shortHelpOf(command: Command): string {
  const { name, common = [], examples } = command;
  return helpOf({
    ...command,
    groups: [{ flags: common.map((flag) => ({ ...flag, text: shortText(flag) })) }],
    notes: [`urlmill ${name} --help shows all flags.`],
    examples: examples.slice(0, 3),
  });
}

export function helpOf(command: Command): string {
  const {
    name,
    operands,
    summary,
    intro = [],
    subcommands = [],
    groups,
    notes = [],
    examples,
  } = command;
  const call = `urlmill ${name} ${operands}`.trim();
  const lines = [
    ...wrap(`${call}: ${summary}`, 2),
    ...intro.flatMap((text) => ["", ...wrap(text, 0)]),
    ...(subcommands.length === 0 ? [] : ["", ...commandLines(subcommands)]),
    ...groups.flatMap(({ title, flags }) => [
      "",
      ...(title === undefined ? [] : [`${title}:`]),
      ...flags.flatMap(flagLines),
    ]),
    ...notes.flatMap((text) => ["", ...wrap(text, 0)]),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  ${example}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a line for each command, with the summaries aligned. */
function commandLines(
  commands: readonly Pick<Command, "name" | "operands" | "summary">[],
): string[] {
  const calls = commands.map(({ name, operands }) => `  urlmill ${name} ${operands}`.trimEnd());
  const width = Math.max(...calls.map((call) => call.length)) + 2;
  return commands.flatMap(({ summary }, at) =>
    wrap((calls[at] as string).padEnd(width) + summary, width),
  );
}

/** Returns how a flag is written, such as `-o, --output FILE`. */
export function flagForm({ name, short, value }: Flag): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** Returns what a flag does, its choices first. */
export function flagText({ choices, text }: Flag): string {
  return choices === undefined ? text : `${choices.join(", ")}: ${text}`;
}

function flagLines(flag: Flag): string[] {
  const form = `  ${flagForm(flag)}`;
  const text = flagText(flag);
  if (form.length < COLUMN - 1) return wrap(form.padEnd(COLUMN) + text, COLUMN);
  return [form, ...wrap(" ".repeat(COLUMN) + text, COLUMN)];
}
