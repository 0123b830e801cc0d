import type { Flag } from "../../runs/call/flags/flag.ts";
import { type Completable, flagsOf, quoted, takesValue } from "./command.ts";

export function bashCompletion({ commands, first, parts, operands, flags }: Completable): string {
  const values = flags
    .filter(({ flag }) => takesValue(flag))
    .map(({ flag, commands: names }) => {
      const calls = names.flatMap((name) => formsOf(flag).map((form) => quoted(`${name} ${form}`)));
      return `    ${calls.join("|")}) ${reply((flag.choices ?? []).join(" "))}; return ;;`;
    });
  const names = commands.map((command) => {
    const forms = flagsOf(command).flatMap(formsOf).join(" ");
    return `    ${quoted(command.name)}) words=${quoted(forms)} ;;`;
  });
  const words = Object.entries(operands).map(
    ([name, list]) => `    ${quoted(name)}) ${reply(list.join(" "))} ;;`,
  );
  const named = Object.entries(parts).map(([name, list]) => ({
    name,
    words: list.map((part) => part.name),
  }));
  return `# bash completion for urlmill: source <(urlmill completion bash)
_urlmill() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${reply(first.map(({ name }) => name).join(" "))}
    return
  fi
  # bash takes the = of --flag=value for a word.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case "$command \${COMP_WORDS[2]}" in
    ${named.flatMap(({ name, words }) => words.map((word) => quoted(`${name} ${word}`))).join("|")}) ((COMP_CWORD > 2)) && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $previous" in
${values.join("\n")}
  esac
  case $command in
${names.join("\n")}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case $command in
${words.join("\n")}
${named.map(({ name, words }) => `    ${name}) ((COMP_CWORD == 2)) && ${reply(words.join(" "))} ;;`).join("\n")}
  esac
}
complete -o default -F _urlmill urlmill
`;
}

function reply(words: string): string {
  return words === "" ? ":" : `COMPREPLY=($(compgen -W ${quoted(words)} -- "$current"))`;
}

/** Returns a flag as it is typed. */
export function formsOf({ name, short }: Flag): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}
