import { type Completable, quoted, shortText, takesValue } from "./command.ts";

export function fishCompletion({ first, parts, operands, flags }: Completable): string {
  const words = first.map(
    ({ name, summary }) =>
      `complete -c urlmill -n '__urlmill_in ""' -f -a ${name} -d ${fishText(summary)}`,
  );
  const partWords = Object.entries(parts).flatMap(([command, list]) =>
    list.map(
      ({ name, summary }) =>
        `complete -c urlmill -n '__urlmill_in ${command}' -a ${name} -d ${fishText(summary)}`,
    ),
  );
  const withParts = Object.entries(parts).map(
    ([
      command,
      list,
    ]) => `    if test "$name" = ${command}; and contains -- "$words[3]" ${list.map(({ name }) => name).join(" ")}
        set name "${command} $words[3]"
    end`,
  );
  const lists = Object.entries(operands).map(
    ([name, list]) =>
      `complete -c urlmill -n '__urlmill_in ${name}' -f -a ${quoted(list.join(" "))}`,
  );
  const options = flags.map(({ flag, commands }) => {
    const names = commands.map((name) => (name.includes(" ") ? `"${name}"` : name)).join(" ");
    const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
    const choices = flag.choices === undefined ? "" : ` -a ${quoted(flag.choices.join(" "))}`;
    const isFile = /^(?:FILE|DIR)/.test(flag.value ?? "");
    const value = takesValue(flag) ? (isFile ? " -r -F" : " -x") : "";
    const text = fishText(shortText(flag));
    return `complete -c urlmill -n '__urlmill_in ${names}'${short} -l ${flag.name}${value}${choices} -d ${text}`;
  });
  return `# fish completion for urlmill: urlmill completion fish | source
function __urlmill_in
    set -l words (commandline -opc)
    set -l name "$words[2]"
${withParts.join("\n")}
    contains -- "$name" $argv
end
${[...words, ...partWords, ...lists, ...options].join("\n")}
`;
}

/** Quotes a text for fish: inside single quotes, a quote or a backslash needs a backslash before it. */
function fishText(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
