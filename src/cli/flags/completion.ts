import { OPTION_VALUES, STEP_NAMES } from "../../options/catalog.generated.ts";
import type { Flag } from "../../runs/call/flags/flag.ts";
import { type Command, type Completable, flagsOf } from "./command.ts";
import { COMMAND_LIST, SHELLS } from "./commands.ts";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import { powershellCompletion } from "./completion-powershell.ts";
import { zshCompletion } from "./completion-zsh.ts";

/** Returns a script that completes commands, flags and values in a shell. */
export function completionFor(
  shell: (typeof SHELLS)[number],
  commands: readonly Command[],
): string {
  const first = COMMAND_LIST.map(({ name, summary }) => ({ name, summary }));
  const known: Completable = {
    commands,
    first,
    parts: partsOf(commands),
    operands: {
      help: [...first.map(({ name }) => name), "specification", ...STEP_NAMES],
      presets: OPTION_VALUES.preset,
      completion: SHELLS,
    },
    flags: distinctFlags(commands),
  };
  const scripts = {
    bash: bashCompletion,
    zsh: zshCompletion,
    fish: fishCompletion,
    powershell: powershellCompletion,
  };
  return scripts[shell](known);
}

/** Returns the parts of each command that has some: of `learn mine`, `mine`. */
function partsOf(commands: readonly Command[]): Completable["parts"] {
  const parts: Record<string, Pick<Command, "name" | "summary">[]> = {};
  for (const { name, summary } of commands) {
    const [command = "", part] = name.split(" ");
    if (part !== undefined) parts[command] = [...(parts[command] ?? []), { name: part, summary }];
  }
  return parts;
}

function distinctFlags(commands: readonly Command[]): Completable["flags"] {
  const known = new Map<string, { flag: Flag; commands: string[] }>();
  for (const command of commands) {
    for (const flag of flagsOf(command)) {
      const form = JSON.stringify(flag);
      const entry = known.get(form) ?? { flag, commands: [] };
      entry.commands.push(command.name);
      known.set(form, entry);
    }
  }
  return [...known.values()];
}
