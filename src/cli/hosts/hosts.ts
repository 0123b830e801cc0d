import { lineBoundary } from "../../formats/format.ts";
import { createNormalizer } from "../../index.ts";
import { readChunks } from "../../io/chunk-reader.ts";
import { say } from "../../io/say.ts";
import { openSource } from "../../io/source.ts";
import { Slots } from "../../threads/slots.ts";
import { CommandFailure } from "../failure.ts";
import { checkFiles } from "../files.ts";
import { parseFlags } from "../options.ts";
import { writeText } from "../write-text.ts";
import { resolveNames } from "./resolve.ts";

const FLAGS = {
  server: { type: "string", multiple: true },
  concurrency: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const MAX_LENGTH = 1 << 20;
const CHUNK = 1 << 18;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * `urlmill hosts [FILE…]`: the IP addresses that are hosts of the URLs in the files, as a hosts file
 * of their confirmed names; true where it was asked for help.
 */
export async function runHosts(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags("hosts", FLAGS, args);
  if (values["help"] === true) return true;
  const files = positionals.length === 0 ? ["-"] : positionals;
  await checkFiles(files, ["-"]);
  const addresses = await readAddresses(files);
  const servers = values["server"] as string[] | undefined;
  const resolutions = await resolveNames(addresses, {
    ...(servers === undefined ? {} : { servers }),
    concurrency: wholeNumber("concurrency", values["concurrency"], 16),
    timeout: wholeNumber("timeout", values["timeout"], 3000),
  });
  let unnamed = 0;
  const lines = resolutions.map(({ address, name, reason }) => {
    if (name === null) unnamed++;
    return name === null ? `# ${address} ${reason}\n` : `${address} ${name}\n`;
  });
  await writeText("-", lines);
  const named = resolutions.length - unnamed;
  const bad = resolutions.filter(({ reason }) => reason === "BAD_NAME").length;
  const refused = bad === 0 ? "" : `, ${bad} with a name that cannot be a host, left out`;
  say(`${resolutions.length} addresses, ${named} with a confirmed name${refused}`);
  return false;
}

async function readAddresses(files: readonly string[]): Promise<string[]> {
  const normalizer = createNormalizer({
    defaultScheme: "http",
    schemes: ["http", "https", "ws", "wss", "ftp"],
  });
  const addresses = new Set<string>();
  const slots = new Slots(1, CHUNK);
  const reading = { boundary: lineBoundary, endsLines: true, maxLine: MAX_LENGTH, size: CHUNK };
  for (const file of files) {
    const source = await openSource(file);
    for await (const chunk of readChunks(source, file, slots, reading)) {
      if (chunk.kind === "long") continue; // over the limit of a URL, so it names no host
      const lines = new Uint8Array(chunk.slot.input, 0, chunk.length);
      const { bytes } = normalizer.normalizeLines(lines);
      slots.release(chunk.slot);
      for (const url of Buffer.from(bytes).toString("latin1").split("\n")) {
        const address = addressOf(url);
        if (address !== null) addresses.add(address);
      }
    }
    await source.close();
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
