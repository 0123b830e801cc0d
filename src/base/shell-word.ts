/** Returns a file's name as one word of a shell. */
export function shellWord(name: string): string {
  return /^[\w./,:@%+][\w./,:@%+-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
