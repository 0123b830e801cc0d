import { isIP } from "node:net";
import { counted } from "../../base/counted.ts";
import { lineBoundary } from "../../formats/format.ts";
import { createNormalizer } from "../../index.ts";
import { readChunks } from "../../io/chunk-reader.ts";
import { writeText } from "../../io/files/write-text.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { readFlags } from "../../runs/call/flags/flag.ts";
import { Slots } from "../../threads/slots.ts";
import { LF } from "../../url/codes.ts";
import { splitParts } from "../../url/parts.ts";
import { HOSTS, HOSTS_FLAGS } from "../flags/hosts-command.ts";
import { parseFlags } from "../flags/parse-flags.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type ResolveOptions, resolveNames } from "./resolve.ts";

const MAX_LENGTH = 1 << 20;
const CHUNK = 1 << 18;

/**
 * Runs `urlmill hosts [FILE…]`: writes the confirmed names of the IP addresses that are hosts of
 * the URLs in the files, as a hosts file. Returns true if help was asked for.
 */
export async function runHosts(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags(HOSTS, args);
  const { server, concurrency, timeout, help } = readFlags(HOSTS_FLAGS, values);
  if (help) return true;
  const files = positionals.length === 0 ? ["-"] : positionals;
  const servers = server.length === 0 ? {} : { servers: server };
  const options = { ...servers, concurrency, timeout };
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
  const slots: Slots<ArrayBufferLike> = Slots.unshared(1, CHUNK);
  const reading = { boundary: lineBoundary, lastByte: LF, maxLine: MAX_LENGTH, size: CHUNK };
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
