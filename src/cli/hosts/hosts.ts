import { isIP } from "node:net";
import { lineBoundary } from "../../formats/format.ts";
import { createNormalizer } from "../../index.ts";
import { readChunks } from "../../io/chunk-reader.ts";
import { writeText } from "../../io/files/write-text.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import { counted } from "../../runs/counted.ts";
import { CommandFailure } from "../../runs/failure.ts";
import { checkFiles } from "../../runs/files.ts";
import { Slots } from "../../threads/slots.ts";
import { splitParts } from "../../url/parts.ts";
import { HOSTS } from "../flags/commands.ts";
import { parseFlags, wholeNumber } from "../flags/parse-flags.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type ResolveOptions, resolveNames } from "./resolve.ts";

const MAX_LENGTH = 1 << 20;
const CHUNK = 1 << 18;
/** The longest time for a look-up, in milliseconds. A longer timer would end at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** Matches the forms of a DNS server: `address`, `[address]` or `address:port`. */
const SERVER = /^(?:\[([^\]]+)\](?::(\d{1,5}))?|([^:]+):(\d{1,5})|(.+))$/;

/**
 * Runs `urlmill hosts [FILE…]`: writes the confirmed names of the IP addresses that are hosts of
 * the URLs in the files, as a hosts file. Returns true if help was asked for.
 */
export async function runHosts(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags(HOSTS, args);
  if (values["help"] === true) return true;
  const files = positionals.length === 0 ? ["-"] : positionals;
  const servers = values["server"] as string[] | undefined;
  const options = {
    ...(servers === undefined ? {} : { servers: servers.map(checkServer) }),
    concurrency: wholeNumber("concurrency", values, 16),
    timeout: wholeNumber("timeout", values, 3000, LONGEST_TIMEOUT_MS),
  };
  await checkFiles(files, ["-"]);
  await untilInterrupted(() => writeHosts(files, options));
  return false;
}

async function writeHosts(files: readonly string[], options: ResolveOptions): Promise<void> {
  const resolutions = await resolveNames(await readAddresses(files), options);
  let unnamed = 0;
  const lines = resolutions.map(({ address, name, reason }) => {
    if (name === null) unnamed++;
    return name === null ? `# ${address} ${reason}\n` : `${address} ${name}\n`;
  });
  await writeText("-", lines);
  const named = resolutions.length - unnamed;
  const bad = resolutions.filter(({ reason }) => reason === "BAD_NAME").length;
  const refused = bad === 0 ? "" : `, ${bad} with a name that cannot be a host, left out`;
  say(
    `${counted(resolutions.length, "address", "addresses")}, ${named} with a confirmed name${refused}`,
  );
}

async function readAddresses(files: readonly string[]): Promise<string[]> {
  const normalizer = createNormalizer({
    defaultScheme: "http",
    allowedSchemes: ["http", "https", "ws", "wss", "ftp"],
  });
  const addresses = new Set<string>();
  const slots = new Slots(1, CHUNK);
  const reading = { boundary: lineBoundary, endsLines: true, maxLine: MAX_LENGTH, size: CHUNK };
  for (const file of files) {
    const source = await openSource(file);
    try {
      for await (const chunk of readChunks(source, file, slots, reading)) {
        if (chunk.kind === "long") continue; // longer than any URL, so it does not name a host
        const lines = new Uint8Array(chunk.slot.input, 0, chunk.length);
        const { bytes } = normalizer.normalizeLines(lines);
        slots.release(chunk.slot);
        for (const url of Buffer.from(bytes).toString("latin1").split("\n")) {
          const address = addressOf(url);
          if (address !== null) addresses.add(address);
        }
      }
    } finally {
      await source.close();
    }
  }
  return [...addresses];
}

/**
 * Returns the IP address that is the host of a normalized URL, without brackets, or null for a name. It does not use
 * the platform's URL class, which refuses names that are newer than its Unicode.
 */
function addressOf(url: string): string | null {
  const host = splitParts(url).host.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? null : host;
}

/** Returns a DNS server as given. Throws a CommandFailure if it is not an address, with or without a port. */
function checkServer(server: string): string {
  const [, bracketed, bracketedPort, plain, plainPort, whole] = SERVER.exec(server) ?? [];
  const isAddress = isIP(bracketed ?? plain ?? whole ?? "") !== 0;
  const port = bracketedPort ?? plainPort;
  if (isAddress && (port === undefined || isPort(Number(port)))) return server;
  throw new CommandFailure(
    `--server is an IP address, or an address and a port such as 192.0.2.1:53, not "${server}"`,
    2,
  );
}

function isPort(port: number): boolean {
  return port > 0 && port < 65536;
}
