import type { Flag } from "../../runs/call/flags/flag.ts";
import { type Completable, flagsOf, quoted, shortText, takesValue } from "./command.ts";

export function zshCompletion({ commands, first, parts, operands }: Completable): string {
  const cases = commands.map((command) => {
    const list = operands[command.name];
    const rest = list === undefined ? "'*:file:_files'" : quoted(`1:name:(${list.join(" ")})`);
    const specs = [...flagsOf(command).flatMap(specsOf), rest];
    return `    ${quoted(command.name)})\n      _arguments -s ${specs.join(" \\\n        ")} ;;`;
  });
  const lists = Object.entries(parts).map(
    ([name, list]) => `    ${name}) parts=(${list.map(described).join(" ")}) ;;`,
  );
  return `#compdef urlmill
# zsh completion for urlmill: source <(urlmill completion zsh)
_urlmill() {
  local -a commands parts
  commands=(${first.map(described).join(" ")})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${lists.join("\n")}
  esac
  if ((\${#parts})); then
    ((CURRENT == 2)) && _describe part parts
    if ((CURRENT > 2)) && [[ -n \${(M)parts:#$words[2]:*} ]]; then
      command="$command $words[2]"
      shift words
      ((CURRENT--))
    fi
  fi
  case $command in
${cases.join("\n")}
  esac
}
compdef _urlmill urlmill
`;
}

function described({ name, summary }: { name: string; summary: string }): string {
  return quoted(`${name}:${summary}`);
}

/** Returns the text that `_arguments` needs for a flag, in each of its forms. */
function specsOf(flag: Flag): string[] {
  const forms =
    flag.short === undefined ? [`--${flag.name}`] : [`-${flag.short}`, `--${flag.name}`];
  const again = flag.isList === true ? "*" : "";
  const text = shortText(flag).replaceAll(/[[\]:\\]/g, "\\$&");
  return forms.map((form) => quoted(`${again}${form}[${text}]${valueSpec(flag)}`));
}

function valueSpec(flag: Flag): string {
  if (!takesValue(flag)) return "";
  if (flag.choices !== undefined) return `:value:(${flag.choices.join(" ")})`;
  const isFile = flag.value?.startsWith("FILE") === true;
  const value = (flag.value as string).replaceAll(":", "\\:");
  return `:${value}:${isFile ? "_files" : flag.value === "DIR" ? "_files -/" : " "}`;
}
