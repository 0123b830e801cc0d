import { CommandFailure } from "../../runs/base/failure.ts";
import { normalHost } from "../../url/written.ts";

/** Matches an IP address in normal form. */
const ADDRESS = /^(\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/**
 * Reads the lines of a hosts file, `address name…`, as host aliases. Each address becomes its first name. If an
 * address has several lines, the first is used. `#` begins a comment. An address with a zone (`%`) is skipped, because
 * URLs have no zones. Throws a `CommandFailure` that names the first line that cannot be applied.
 */
export function parseHosts(text: string, file: string): Record<string, string> {
  const aliases: [string, string][] = [];
  const known = new Set<string>();
  for (const [index, line] of text.split("\n").entries()) {
    const [address, name] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (address === undefined || name === undefined || address.includes("%")) continue;
    const refuse = (what: string) => {
      throw new CommandFailure(
        `${file}, line ${index + 1}: ${what}; correct or remove the line`,
        2,
      );
    };
    const host = normalHost(address) ?? refuse(`"${address}" is not an IP address or a host`);
    const target = normalHost(name) ?? refuse(`"${name}" is not a host name`);
    if (ADDRESS.test(target)) refuse(`"${name}" is an address where a name belongs`);
    if (known.has(host)) continue;
    known.add(host);
    aliases.push([address, name]);
  }
  return Object.fromEntries(aliases);
}
