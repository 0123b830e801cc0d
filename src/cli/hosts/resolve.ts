import { Resolver } from "node:dns/promises";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** Matches a last label that makes a host an IPv4 address, valid or not (URL Standard, "ends in a number"). */
const NUMBER = /^(\d+|0x[0-9a-f]*)$/i;
/** The longest name in characters (RFC 1035 2.3.4), without a final dot. */
const LONGEST_NAME = 253;

export interface ResolveOptions {
  /** DNS servers as `address` or `address:port`. If the list is empty, the system's servers are used. */
  readonly servers?: readonly string[];
  /** The number of look-ups in progress at a time. */
  readonly concurrency: number;
  /** The time limit of one look-up, in milliseconds. */
  readonly timeout: number;
}

/** Holds the result for one address. */
export interface Resolution {
  readonly address: string;
  /** A name whose addresses include this one, or null. */
  readonly name: string | null;
  /**
   * The reason for a missing name. `BAD_NAME`: a name cannot be the host of a URL. `UNCONFIRMED`: no name leads back.
   * `ENOTFOUND`, `ETIMEOUT` and others are codes of DNS. If several names fail, this is the first failure.
   */
  readonly reason: string | null;
}

/**
 * Looks up the name of each address (PTR) and confirms it: the name must resolve back to the
 * address (A or AAAA). It asks for each address and each name once. Answers come in the order of
 * addresses.
 */
export async function resolveNames(
  addresses: readonly string[],
  options: ResolveOptions,
): Promise<Resolution[]> {
  const resolver = new Resolver({ timeout: options.timeout, tries: 2 });
  if (options.servers !== undefined) resolver.setServers(options.servers);
  const lookups = new Lookups(resolver);
  const unique = [...new Set(addresses)];
  const results = new Map<string, Resolution>();
  let next = 0;
  const worker = async () => {
    while (next < unique.length) {
      const address = unique[next++] as string;
      results.set(address, await lookups.nameOf(address));
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, unique.length) }, worker));
  return unique.map((address) => results.get(address) as Resolution);
}

/** The most names of one address to try. Its owner chooses how many there are, and each costs a look-up. */
const MAX_NAMES = 16;

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

class Lookups {
  readonly #resolver: Resolver;
  readonly #forward = new Map<string, Promise<readonly string[]>>();

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  async nameOf(address: string): Promise<Resolution> {
    let names: readonly string[];
    try {
      names = await this.#resolver.resolvePtr(arpaName(address));
    } catch (error) {
      return { address, name: null, reason: codeOf(error) };
    }
    let reason: string | null = null;
    for (const name of names.slice(0, MAX_NAMES)) {
      const failure = await this.#confirm(name, address);
      if (failure === null) return { address, name, reason: null };
      reason ??= failure;
    }
    return { address, name: null, reason: reason ?? "UNCONFIRMED" };
  }

  /** Returns null if a name can be a host and leads back to an address. Otherwise returns the reason. */
  async #confirm(name: string, address: string): Promise<string | null> {
    if (!isHostName(name)) return "BAD_NAME";
    try {
      const addresses = await this.#addressesOf(name, address.includes(":"));
      return addresses.includes(address) ? null : "UNCONFIRMED";
    } catch (error) {
      return codeOf(error);
    }
  }

  /** Returns the addresses of a name in the form that URLs have. The result is empty if the name has no address. */
  #addressesOf(name: string, isIpv6: boolean): Promise<readonly string[]> {
    const key = `${isIpv6 ? 6 : 4} ${name}`;
    const known = this.#forward.get(key);
    if (known !== undefined) return known;
    const asked = isIpv6 ? this.#resolver.resolve6(name) : this.#resolver.resolve4(name);
    const addresses = asked.then(
      (found) => found.map(canonicalAddress),
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOTFOUND" || error.code === "ENODATA") return [];
        throw error;
      },
    );
    this.#forward.set(key, addresses);
    return addresses;
  }
}

/** Returns an IPv6 address as the URL Standard writes it, without brackets. IPv4 is unchanged. */
function canonicalAddress(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

/**
 * Returns the name under which the PTR records of an address are found (RFC 1035 3.5, RFC 3596 2.5).
 * `Resolver.reverse` is not used: it also reads the system's hosts file, and reports a time-out as ENOTFOUND.
 */
function arpaName(address: string): string {
  if (!address.includes(":")) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const [head = [], tail] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const after = tail ?? [];
  const zeros = new Array<string>(8 - head.length - after.length).fill("0");
  const nibbles = [...head, ...zeros, ...after].map((piece) => piece.padStart(4, "0")).join("");
  return `${[...nibbles].reverse().join(".")}.ip6.arpa`;
}

/**
 * Returns whether a name from DNS can replace an address as the host of a URL. Its labels have up to 63 letters,
 * digits, hyphens and underscores, and the last is not a number. The check is needed because DNS allows any byte, and
 * the owner of an address chooses its name.
 */
function isHostName(name: string): boolean {
  const labels = name.replace(/\.$/, "").split(".");
  const hasLabels = name.length <= LONGEST_NAME + 1 && labels.every((label) => LABEL.test(label));
  return hasLabels && !NUMBER.test(labels.at(-1) as string);
}
