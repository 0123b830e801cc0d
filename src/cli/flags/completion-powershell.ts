import { type Completable, flagsOf, takesValue } from "./command.ts";
import { formsOf } from "./completion-bash.ts";

/** Returns the completion script for PowerShell. Where it finds no word, PowerShell completes names of files. */
export function powershellCompletion({
  commands,
  first,
  parts,
  operands,
  flags,
}: Completable): string {
  const forms = commands.map(
    (command) => [command.name, flagsOf(command).flatMap(formsOf)] as const,
  );
  const values = flags
    .filter(({ flag }) => takesValue(flag))
    .flatMap(({ flag, commands: names }) =>
      names.flatMap((name) =>
        formsOf(flag).map((form) => [`${name} ${form}`, flag.choices ?? []] as const),
      ),
    );
  const words = [
    ...Object.entries(operands),
    ...Object.entries(parts).map(([name, list]) => [name, list.map((part) => part.name)] as const),
  ];
  return `# PowerShell completion for urlmill: urlmill completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName urlmill -ScriptBlock {
  param($current, $ast, $cursor)
  $first = ${list(first.map(({ name }) => name))}
  $flags = ${table(forms)}
  $values = ${table(values)}
  $operands = ${table(words)}
  $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($words.Count -eq 0) {
    $found = $first
  } else {
    $command = $words[0]
    if ($words.Count -gt 1 -and $flags.ContainsKey("$command $($words[1])")) { $command = "$command $($words[1])" }
    $before = "$command $($words[-1])"
    if ($values.ContainsKey($before)) { $found = $values[$before] }
    elseif ("$current".StartsWith('-')) { $found = $flags[$command] }
    elseif ($words.Count -eq 1) { $found = $operands[$command] }
    else { $found = @() }
  }
  $found | Where-Object { $_ -and $_.StartsWith("$current") } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function table(entries: readonly (readonly [string, readonly string[]])[]): string {
  const lines = entries.map(([name, words]) => `    ${text(name)} = ${list(words)}\n`);
  return `@{\n${lines.join("")}  }`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(text).join(", ")})`;
}

function text(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}
