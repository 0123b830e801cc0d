const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** A last label that makes a host an IPv4 address, good or bad (URL Standard, "ends in a number"). */
const NUMBER = /^(\d+|0x[0-9a-f]*)$/i;
/** Characters of a name (RFC 1035 2.3.4), without a final dot. */
const LONGEST_NAME = 253;

/**
 * Returns whether a name from DNS can be the host of a URL in the place of an address: letters,
 * digits, hyphens and underscores in labels of up to 63, of which the last is not a number. DNS
 * itself lets any byte pass, and whoever owns an address chooses its name.
 */
export function isHostName(name: string): boolean {
  const labels = name.replace(/\.$/, "").split(".");
  const hasLabels = name.length <= LONGEST_NAME + 1 && labels.every((label) => LABEL.test(label));
  return hasLabels && !NUMBER.test(labels.at(-1) as string);
}
