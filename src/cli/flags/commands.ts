import { OPTION_VALUES } from "../../options/catalog.generated.ts";
import { choiceFlag, switchFlag, textFlag } from "../../runs/call/flags/flag.ts";
import { RECORD_FLAGS } from "../../runs/call/options.ts";
import { type Command, HELP_FLAG } from "./command.ts";
import { DEDUPE, NORMALIZE } from "./filter-commands.ts";
import { HOSTS } from "./hosts-command.ts";
import { ENGINE_FLAG, OPTION_GROUPS } from "./option-flags.ts";

export const EXPLAIN_FLAGS = {
  json: switchFlag({ name: "json", text: "write one JSON object a URL" }),
  base: RECORD_FLAGS.base,
  color: choiceFlag({
    name: "color",
    choices: ["auto", "always", "never"],
    default: "auto",
    text: "auto uses colors on a terminal, unless NO_COLOR is set",
  }),
  help: HELP_FLAG,
};

export const EXPLAIN: Command = {
  name: "explain",
  operands: "URL…",
  summary: "each step that changes a URL, before and after",
  intro: [
    "Shows what each step makes of the URL, and where the step is written down. urlmill URL prints only the normalized URL.",
  ],
  groups: [
    {
      flags: [
        EXPLAIN_FLAGS.json,
        EXPLAIN_FLAGS.base,
        EXPLAIN_FLAGS.color,
        ENGINE_FLAG,
        EXPLAIN_FLAGS.help,
      ],
    },
    ...OPTION_GROUPS,
  ],
  notes: ["urlmill help STEP prints what the specification says on a step."],
  examples: ["urlmill explain --preset crawl 'HTTP://Example.com/a/../b?utm_source=x'"],
};

export const PLAN_FLAGS = {
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE instead of standard output",
  }),
  help: HELP_FLAG,
};

export const PLAN: Command = {
  name: "plan",
  operands: "",
  summary: "options as a file for the kernel elsewhere",
  intro: ["docs/kernel.md in the package says how Python, Go or Rust use it."],
  groups: [{ flags: Object.values(PLAN_FLAGS) }, ...OPTION_GROUPS],
  examples: ["urlmill plan --preset crawl --rules rules.tsv -o crawl.plan"],
};

export const PRESETS_COMMAND: Command = {
  name: "presets",
  operands: "[NAME]",
  summary: "each preset as a configuration file",
  intro: [`NAME is one of ${OPTION_VALUES.preset.join(", ")}.`],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill presets crawl > config.json"],
};

export const SCHEMA: Command = {
  name: "schema",
  operands: "",
  summary: "the JSON Schema of configuration files",
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill schema > config.schema.json"],
};

/** Lists the shells that `urlmill completion` knows. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export const COMPLETION: Command = {
  name: "completion",
  operands: "SHELL",
  summary: "completion for bash, zsh, fish or PowerShell",
  groups: [{ flags: [HELP_FLAG] }],
  examples: [
    "source <(urlmill completion bash)    # in ~/.bashrc",
    "source <(urlmill completion zsh)     # in ~/.zshrc, after compinit",
    "urlmill completion fish | source     # in ~/.config/fish/config.fish",
    "urlmill completion powershell | Out-String | iex    # in $PROFILE",
  ],
};

export const MAN: Command = {
  name: "man",
  operands: "",
  summary: "the manual page",
  intro: ["A global install has it as man urlmill."],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill man | man -l -"],
};

export const HELP_COMMAND: Command = {
  name: "help",
  operands: "[COMMAND|STEP]",
  summary: "the flags of a command, or what a step does",
  intro: [
    "STEP is a name that explain shows, an option or another section of the specification. urlmill help specification lists them.",
  ],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill help dedupe", "urlmill help dotSegments", "urlmill help sortQuery"],
};

/** Describes `urlmill learn` in the list of commands; learn/commands.ts has its flags and subcommands. */
export const LEARN_SUMMARY = {
  name: "learn",
  operands: "[FILE…]",
  summary: "rules for sites, learned from a list of URLs",
} as const;

/** Describes `urlmill seen` in the list of commands; seen/commands.ts has its flags and parts. */
export const SEEN_SUMMARY = {
  name: "seen",
  operands: "PART DIR",
  summary: "sets of seen URLs: look into, check, convert, merge them, remove URLs",
} as const;

/** Describes `urlmill lists` in the list of commands; lists/commands.ts has its flags and parts. */
export const LISTS_SUMMARY = {
  name: "lists",
  operands: "PART",
  summary: "lists of trackers that others keep: import, judge, compare them",
} as const;

/** Describes `urlmill cdx` in the list of commands; cdx/commands.ts has its flags and parts. */
export const CDX_SUMMARY = {
  name: "cdx",
  operands: "PART",
  summary: "indexes of web archives: sort, merge, compress, key again",
} as const;

/** Lists the commands whose flags are defined in this folder: all except those that have parts. */
export const COMMANDS: readonly Command[] = [
  NORMALIZE,
  DEDUPE,
  EXPLAIN,
  HOSTS,
  PLAN,
  PRESETS_COMMAND,
  SCHEMA,
  COMPLETION,
  MAN,
  HELP_COMMAND,
];

/** Lists all commands, in the order of the help. */
export const COMMAND_LIST: readonly Pick<Command, "name" | "operands" | "summary">[] = [
  NORMALIZE,
  DEDUPE,
  EXPLAIN,
  SEEN_SUMMARY,
  LEARN_SUMMARY,
  LISTS_SUMMARY,
  CDX_SUMMARY,
  HOSTS,
  PLAN,
  PRESETS_COMMAND,
  SCHEMA,
  COMPLETION,
  MAN,
  HELP_COMMAND,
];
