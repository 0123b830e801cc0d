import type { Flag } from "../../runs/call/flags/flag.ts";
import { type Command, flagsOf } from "./command.ts";
import { flagForm, flagText } from "./help-text.ts";
import { OPTION_GROUPS } from "./option-flags.ts";

const OPTIONS: ReadonlySet<Flag> = new Set(OPTION_GROUPS.flatMap(({ flags }) => flags));

/** Returns the manual page, in roff. The options are listed once, for all commands that take them. */
export function manPage(version: string, commands: readonly Command[]): string {
  const notes = new Set(commands.flatMap((command) => command.notes ?? []));
  return `${[
    `.TH URLMILL 1 "" "urlmill ${version}" "User Commands"`,
    ".SH NAME",
    text("urlmill - one canonical form for every URL"),
    ".SH SYNOPSIS",
    `.B urlmill`,
    text("COMMAND [FLAG…] [FILE…]"),
    ".br",
    ".B urlmill",
    "URL…",
    ".SH DESCRIPTION",
    text(
      `Normalizes and deduplicates lists of URLs. Without FILE, or for "-", a command reads standard input. It writes standard output. gzip and zstd are known by their first bytes.`,
    ),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ".SH OPTIONS",
    ...OPTION_GROUPS.flatMap(({ title = "", flags }) => [
      `.SS "${text(title)}"`,
      ...flags.flatMap(flagEntry),
    ]),
    ".SH NOTES",
    ...[...notes].flatMap((note) => [".PP", text(note)]),
  ].join("\n")}\n`;
}

function commandSection(command: Command): string[] {
  const { name, operands, summary, intro = [], examples } = command;
  const flags = flagsOf(command);
  const own = flags.filter((flag) => !OPTIONS.has(flag));
  return [
    `.SS "${text(`urlmill ${name} ${operands}`.trim())}"`,
    text(`${summary}.`),
    ...intro.flatMap((paragraph) => [".PP", text(paragraph)]),
    ...own.flatMap(flagEntry),
    ...(own.length < flags.length ? [".PP", "It takes all flags of OPTIONS, too."] : []),
    ".PP",
    ".nf",
    ...examples.map(text),
    ".fi",
  ];
}

function flagEntry(flag: Flag): string[] {
  return [".TP", `.B ${text(flagForm(flag))}`, text(flagText(flag))];
}

/** Escapes a text, so that roff reads no instruction in it. */
function text(plain: string): string {
  const escaped = plain.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
