import { existsSync } from "node:fs";
import { suggestion } from "../base/nearest.ts";
import { shellWord } from "../base/shell-word.ts";
import { Status, type UrlErrorCode } from "../base/status.ts";
import { tell } from "../io/say.ts";
import { standardStreams, withInput } from "../io/standard.ts";
import { wrap } from "../io/text/wrap.ts";
import {
  OPTION_VALUES,
  PRESETS,
  type PresetName,
  STEP_NAMES,
} from "../options/catalog.generated.ts";
import { configSchema } from "../options/schema.ts";
import { CommandFailure, StoppedAtLine } from "../runs/base/failure.ts";
import { schemeEnd } from "../url/scheme.ts";
import { type Command, HELP_FLAG } from "./flags/command.ts";
import {
  COMMAND_LIST,
  COMMANDS,
  COMPLETION,
  EXPLAIN,
  HELP_COMMAND,
  MAN,
  PLAN,
  PRESETS_COMMAND,
  SCHEMA,
  SHELLS,
} from "./flags/commands.ts";
import { DEDUPE, NORMALIZE } from "./flags/filter-commands.ts";
import { helpOf, shortHelpOf, usage } from "./flags/help-text.ts";
import { HOSTS } from "./flags/hosts-command.ts";
import { ownersOf, type ParsedFlags, parseFlags, seeHelp } from "./flags/parse-flags.ts";
import type { PartedCommand } from "./flags/parted-command.ts";
import { manifest, print } from "./print.ts";

/** Says what can be done with what is piped to a call without a command. */
const PIPED = `
  … | urlmill normalize    writes the normalized URL of each line
  … | urlmill dedupe       writes the first line of each URL
urlmill --help lists all commands.
`;

/** The commands that other programs have under other names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  uniq: "dedupe",
  unique: "dedupe",
  dedup: "dedupe",
  canonicalize: "normalize",
};

/** Runs the command that the arguments name. Returns its exit code. */
export async function runCommand(args: string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case undefined:
      tell(`urlmill: which command?${isPiped() ? PIPED : `\n\n${usage()}`}`);
      return 2;
    case "-h":
    case "--help":
      return print(usage());
    case "help":
      return print(await helpFor(rest));
    case "normalize":
    case "dedupe":
      return runFilter(command, rest);
    case "explain":
      return (await explain(rest)) ?? print(helpOf(EXPLAIN));
    case "cdx":
    case "learn":
    case "lists":
    case "seen": {
      const { run } = await WITH_PARTS[command]();
      const help = await run(rest);
      return help === null ? 0 : print(help);
    }
    case "hosts": {
      const { runHosts } = await import("./hosts/hosts.ts");
      return (await runHosts(rest)) ? print(helpOf(HOSTS)) : 0;
    }
    case "plan": {
      const { runPlan } = await loadHandlers();
      return (await runPlan(rest)) ? print(helpOf(PLAN)) : 0;
    }
    case "presets":
      return print(showPresets(rest));
    case "schema":
      return print(showSchema(rest));
    case "completion":
      return print(await showCompletion(rest));
    case "man":
      return print(await showManPage(rest));
    default:
      if (!args.some(isAbsoluteUrl) || !isUrlFirst(args)) throw unknownCommand(command);
      return runFilter("normalize", args);
  }
}

async function runFilter(name: "normalize" | "dedupe", args: string[]): Promise<number> {
  const command = name === "dedupe" ? DEDUPE : NORMALIZE;
  const call = parseFlags(command, args);
  if (HELP_FLAG.read(call.values)) {
    return print(args.includes("--help") ? helpOf(command) : shortHelpOf(command));
  }
  return hasUrls(call.positionals) ? filterUrls(name, call) : filter(name, call);
}

/** Normalizes or dedupes URLs that are operands. */
async function filterUrls(
  name: "normalize" | "dedupe",
  { values: given, positionals: urls }: ParsedFlags,
): Promise<number> {
  // A URL that cannot be normalized ends the command with 1, unless a flag says otherwise.
  const values = { format: "lines", "on-error": "fail", ...given };
  const { Readable } = await import("node:stream");
  const stdin = Readable.from([Buffer.from(`${urls.join("\n")}\n`)], { objectMode: false });
  try {
    return await withInput(stdin, () => filter(name, { values, positionals: [] }));
  } catch (error) {
    const isOwn = error instanceof StoppedAtLine && Object.hasOwn(Status, error.code);
    if (!isOwn || given["on-error"] !== undefined) throw error;
    const { line, code } = error;
    const { meaningInFlags } = await import("./error-codes.ts");
    const meaning = meaningInFlags(code as UrlErrorCode);
    throw new CommandFailure(`${urls[line - 1]} is not a URL: ${meaning} (${code})`, 1);
  }
}

/** Returns whether operands are URLs, and not files. Throws if they are both. */
function hasUrls(operands: readonly string[]): boolean {
  const url = operands.find((operand) => isAbsoluteUrl(operand) && !existsSync(operand));
  if (url === undefined) return false;
  const file = operands.find((operand) => !isAbsoluteUrl(operand));
  if (file !== undefined) {
    throw new CommandFailure(`${url} is a URL, and ${file} is a file: give one kind at a time`, 2);
  }
  const broken = operands.find((operand) => /[\r\n]/.test(operand));
  if (broken !== undefined) throw new CommandFailure("a URL as an argument has a line end", 2);
  return true;
}

async function filter(name: "normalize" | "dedupe", call: ParsedFlags): Promise<number> {
  const handlers = await loadHandlers();
  await handlers.filter(name, call);
  return 0;
}

/*
 * The modules of commands are loaded when they are needed: most of the time of `--version` or `--help` would be that of
 * modules which they do not use.
 */

function loadHandlers(): Promise<typeof import("./handlers.ts")> {
  return import("./handlers.ts");
}

async function explain(args: string[]): Promise<number | null> {
  const { runExplain } = await loadHandlers();
  return runExplain(args);
}

const WITH_PARTS = {
  cdx: async () => (await import("./cdx/cdx.ts")).CDX,
  learn: async () => (await import("./learn/learn.ts")).LEARN,
  lists: async () => (await import("./lists/lists.ts")).LISTS,
  seen: async () => (await import("./seen/seen.ts")).SEEN,
} satisfies Readonly<Record<string, () => Promise<PartedCommand>>>;

function hasParts(name: string): name is keyof typeof WITH_PARTS {
  return Object.hasOwn(WITH_PARTS, name);
}

/** Returns whether a text begins with a scheme. The name of a command never does. */
function isAbsoluteUrl(text: string): boolean {
  return schemeEnd(text) > 0;
}

/** Returns whether a call has no command: its first argument is a URL or a flag. */
function isUrlFirst([first = ""]: readonly string[]): boolean {
  return isAbsoluteUrl(first) || first.startsWith("-");
}

/** Returns whether a text looks like a host, perhaps with a path. */
function isHost(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]+)+(?:[/:?].*)?$/.test(text) && !existsSync(text);
}

/** Returns whether another program or a file gives the standard input. */
function isPiped(): boolean {
  const { stdin } = standardStreams();
  return (stdin as { isTTY?: boolean }).isTTY !== true;
}

function unknownCommand(typed: string): CommandFailure {
  const names = COMMAND_LIST.map(({ name }) => name);
  const hint = typed.startsWith("-")
    ? ", and options come after a command, such as normalize or dedupe"
    : isHost(typed)
      ? `; write a URL with its scheme: urlmill https://${typed}`
      : existsSync(typed)
        ? `; to read the file: urlmill normalize ${shellWord(typed)}`
        : suggestion(OTHER_NAMES[typed] ?? typed, names);
  return new CommandFailure(`there is no command "${typed}"${seeHelp(hint, "--help")}`, 2);
}

/** Returns the help of the command that the words name, the section of a step, or the help of urlmill. */
async function helpFor(words: string[]): Promise<string> {
  const { positionals } = parseFlags(HELP_COMMAND, words);
  const [name, part = ""] = positionals;
  if (name === undefined) return usage();
  if (hasParts(name)) return (await WITH_PARTS[name]()).help(part);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  return command === undefined ? await sectionFor(name) : helpOf(command);
}

/** Returns the section of the specification that a name means. */
async function sectionFor(name: string): Promise<string> {
  const { meaningOf } = await import("./error-codes.ts");
  const meaning = meaningOf(name.toUpperCase());
  if (meaning !== undefined) return `${wrap(`${name.toUpperCase()}: ${meaning}`, 0).join("\n")}\n`;
  const { specificationNames, specificationOf } = await import("./specification.ts");
  // A step has the name of its option, which may be written as its flag: session-ids.
  const section = specificationOf(name) ?? specificationOf(name.replaceAll("-", ""));
  if (section !== undefined) return section;
  const [owner] = ownersOf(name);
  if (owner !== undefined) {
    throw new CommandFailure(
      `"${name}" is not a command or step${seeHelp(`; --${name} is a flag`, `${owner} --help`)}`,
      2,
    );
  }
  const names = [
    ...COMMAND_LIST.map((command) => command.name),
    ...STEP_NAMES,
    ...specificationNames(),
  ];
  const hint = seeHelp(suggestion(name, names), "help specification");
  throw new CommandFailure(`there is no command or step "${name}"${hint}`, 2);
}

/** Returns each preset as a configuration file, or only the named one. */
function showPresets(args: string[]): string {
  const { values, positionals } = parseFlags(PRESETS_COMMAND, args);
  if (HELP_FLAG.read(values)) return helpOf(PRESETS_COMMAND);
  const [name, another] = positionals;
  if (another !== undefined) throw new CommandFailure("presets takes at most one name", 2);
  if (name !== undefined && !Object.hasOwn(PRESETS, name)) {
    const names = `${OPTION_VALUES.preset.join(", ")}${suggestion(name, OPTION_VALUES.preset)}`;
    throw new CommandFailure(`there is no preset "${name}": ${names}`, 2);
  }
  const shown = name === undefined ? PRESETS : PRESETS[name as PresetName];
  return `${JSON.stringify(shown, null, 2)}\n`;
}

/** Returns the JSON Schema of configuration files. */
function showSchema(args: string[]): string {
  if (asksHelp(SCHEMA, args)) return helpOf(SCHEMA);
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}

/** Returns a script that completes calls in a shell. */
async function showCompletion(args: string[]): Promise<string> {
  const { values, positionals } = parseFlags(COMPLETION, args);
  if (HELP_FLAG.read(values)) return helpOf(COMPLETION);
  const [name = "", another] = positionals;
  const shell = SHELLS.find((candidate) => candidate === name);
  if (shell === undefined || another !== undefined) {
    throw new CommandFailure(`completion takes one shell: ${SHELLS.join(", ")}`, 2);
  }
  const { completionFor } = await import("./flags/completion.ts");
  return completionFor(shell, await allCommands());
}

/** Returns the manual page. */
async function showManPage(args: string[]): Promise<string> {
  if (asksHelp(MAN, args)) return helpOf(MAN);
  const { manPage } = await import("./flags/man-page.ts");
  return manPage(manifest().version, await allCommands());
}

/** Reads the arguments of a command without operands. */
function asksHelp(command: Command, args: string[]): boolean {
  const { values, positionals } = parseFlags(command, args);
  if (HELP_FLAG.read(values)) return true;
  if (positionals.length > 0) throw new CommandFailure(`${command.name} takes no arguments`, 2);
  return false;
}

/** Returns all commands and their parts, in the order of the help. */
async function allCommands(): Promise<Command[]> {
  const all = COMMAND_LIST.map(async ({ name }) =>
    hasParts(name)
      ? (await WITH_PARTS[name]()).commands
      : COMMANDS.filter((command) => command.name === name),
  );
  return (await Promise.all(all)).flat();
}
