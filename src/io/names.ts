/** Returns the name of an input as messages show it: `-` is standard input. */
export function shownInput(name: string): string {
  return name === "-" ? "standard input" : name;
}

/** Returns the name of an output as messages show it: `-` is standard output. */
export function shownOutput(name: string): string {
  return name === "-" ? "standard output" : name;
}
