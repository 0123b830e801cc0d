import { OPTION_VALUES } from "../../options/catalog.generated.ts";
import { choiceFlag, switchFlag, textFlag } from "../../runs/call/flags/flag.ts";
import { RECORD_FLAGS } from "../../runs/call/options.ts";
import { type Command, HELP_FLAG } from "./command.ts";
import { DEDUPE, NORMALIZE } from "./filter-commands.ts";
import { HOSTS } from "./hosts-command.ts";
import { ENGINE_FLAG, OPTION_GROUPS } from "./option-flags.ts";

export const EXPLAIN_FLAGS = {
  json: switchFlag({
    name: "json",
    text: "write a JSON object for each URL, and one for the two URLs together",
  }),
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
  summary: "shows each step that changes a URL, before and after",
  intro: [
    "Shows what each step makes of the URL, and where the step is written down. urlmill URL prints only the normalized URL.",
    "Given two URLs, it also says whether they have one key. If not, it names the first difference, and what would give them one key: flags for all sites, and rules for their own site. Each proposal was tried on both URLs.",
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
  notes: ["urlmill help STEP prints what the specification says about a step."],
  examples: [
    "urlmill explain --preset crawl 'HTTP://Example.com/a/../b?utm_source=x'",
    "urlmill explain 'https://example.com/a?sid=1' 'https://example.com/a?sid=2'",
  ],
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
  summary: "writes the options as a file, for the kernel in other runtimes",
  intro: ["docs/kernel.md in the package says how to use it in Python, Go or Rust."],
  groups: [{ flags: Object.values(PLAN_FLAGS) }, ...OPTION_GROUPS],
  examples: ["urlmill plan --preset crawl --rules rules.tsv -o crawl.plan"],
};

export const PRESETS_COMMAND: Command = {
  name: "presets",
  operands: "[NAME]",
  summary: "prints presets as configuration files",
  intro: [`NAME is one of ${OPTION_VALUES.preset.join(", ")}.`],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill presets crawl > config.json"],
};

export const SCHEMA: Command = {
  name: "schema",
  operands: "",
  summary: "prints the JSON Schema of configuration files",
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill schema > config.schema.json"],
};

/** Lists the shells that `urlmill completion` knows. */
export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

export const COMPLETION: Command = {
  name: "completion",
  operands: "SHELL",
  summary: "prints completion for bash, zsh, fish or PowerShell",
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
  summary: "prints the manual page",
  intro: ["After a global install, man urlmill shows it."],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill man | man -l -"],
};

export const HELP_COMMAND: Command = {
  name: "help",
  operands: "[COMMAND|STEP]",
  summary: "prints the flags of a command, or what a step does",
  intro: [
    "STEP is a name that explain shows, an option, or a section of the specification. urlmill help specification lists them.",
  ],
  groups: [{ flags: [HELP_FLAG] }],
  examples: ["urlmill help dedupe", "urlmill help dotSegments", "urlmill help sortQuery"],
};

/** Describes `urlmill learn` in the list of commands; learn/commands.ts has its flags and subcommands. */
export const LEARN_SUMMARY = {
  name: "learn",
  operands: "[FILE…]",
  summary: "learns rules for sites from a list of URLs",
} as const;

/** Describes `urlmill seen` in the list of commands; seen/commands.ts has its flags and parts. */
export const SEEN_SUMMARY = {
  name: "seen",
  operands: "PART DIR",
  summary: "shows, checks, converts and merges sets of seen URLs",
} as const;

/** Describes `urlmill lists` in the list of commands; lists/commands.ts has its flags and parts. */
export const LISTS_SUMMARY = {
  name: "lists",
  operands: "PART",
  summary: "imports, judges and compares lists of trackers that others keep",
} as const;

/** Describes `urlmill cdx` in the list of commands; cdx/commands.ts has its flags and parts. */
export const CDX_SUMMARY = {
  name: "cdx",
  operands: "PART",
  summary: "sorts, merges and compresses indexes of web archives, and makes their keys again",
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
