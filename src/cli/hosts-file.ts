/**
 * The lines of a hosts file as host aliases, `address name…`: each address becomes its first name, and
 * the first line of an address counts. `#` begins a comment.
 */
export function parseHosts(text: string): Record<string, string> {
  const aliases: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [address, name] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (address === undefined || name === undefined) continue;
    aliases[address] ??= name;
  }
  return aliases;
}
