const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** Matches a last label that makes a host an IPv4 address, valid or not (URL Standard, "ends in a number"). */
const NUMBER = /^(\d+|0x[0-9a-f]*)$/i;
/** The longest name in characters (RFC 1035 2.3.4), without a final dot. */
const LONGEST_NAME = 253;

/**
 * Returns whether a name from DNS can replace an address as the host of a URL. Its labels have up to 63 letters,
 * digits, hyphens and underscores, and the last is not a number. The check is needed because DNS allows any byte, and
 * the owner of an address chooses its name.
 */
export function isHostName(name: string): boolean {
  const labels = name.replace(/\.$/, "").split(".");
  const hasLabels = name.length <= LONGEST_NAME + 1 && labels.every((label) => LABEL.test(label));
  return hasLabels && !NUMBER.test(labels.at(-1) as string);
}
