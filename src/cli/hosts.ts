import { resolveNames } from "../hosts/resolve.ts";
import { createNormalizer } from "../index.ts";
import { CommandFailure } from "./failure.ts";
import { cutLines, readFile } from "./input.ts";
import { parseFlags } from "./options.ts";

const FLAGS = {
  server: { type: "string", multiple: true },
  concurrency: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const MAX_LENGTH = 1 << 20;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * `urlmill hosts [FILE…]`: the IP addresses that are hosts of the URLs in the files, as a hosts file
 * of their confirmed names; true where it was asked for help.
 */
export async function runHosts(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags("hosts", FLAGS, args);
  if (values["help"] === true) return true;
  const addresses = await readAddresses(positionals.length === 0 ? ["-"] : positionals);
  const servers = values["server"] as string[] | undefined;
  const resolutions = await resolveNames(addresses, {
    ...(servers === undefined ? {} : { servers }),
    concurrency: wholeNumber("concurrency", values["concurrency"], 16),
    timeout: wholeNumber("timeout", values["timeout"], 3000),
  });
  let unnamed = 0;
  for (const { address, name, reason } of resolutions) {
    if (name === null) unnamed++;
    process.stdout.write(name === null ? `# ${address} ${reason}\n` : `${address} ${name}\n`);
  }
  const named = resolutions.length - unnamed;
  process.stderr.write(
    `urlmill: ${resolutions.length} addresses, ${named} with a confirmed name\n`,
  );
  return false;
}

async function readAddresses(files: readonly string[]): Promise<string[]> {
  const normalizer = createNormalizer({
    defaultScheme: "http",
    schemes: ["http", "https", "ws", "wss", "ftp"],
  });
  const addresses = new Set<string>();
  for (const file of files) {
    for await (const stretch of cutLines(readFile(file), MAX_LENGTH)) {
      if (stretch.kind === "long") continue; // over the limit of a URL, so it names no host
      const { bytes } = normalizer.normalizeLines(stretch.bytes);
      for (const url of Buffer.from(bytes).toString("latin1").split("\n")) {
        const address = addressOf(url);
        if (address !== null) addresses.add(address);
      }
    }
  }
  return [...addresses];
}

/** The IP address that is the host of a normalized URL, without brackets. */
function addressOf(url: string): string | null {
  if (url === "") return null;
  const host = new URL(url).hostname;
  if (host.startsWith("[")) return host.slice(1, -1);
  return IPV4.test(host) ? host : null;
}

function wholeNumber(flag: string, value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new CommandFailure(`--${flag} is a whole number from 1, not "${value}"`, 2);
}
