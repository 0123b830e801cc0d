import { CommandFailure } from "../../runs/base/failure.ts";
import { listFlag, wholeNumberFlag } from "../../runs/call/flags/flag.ts";
import { type Command, HELP_FLAG } from "./command.ts";

/** The longest time for a look-up, in milliseconds. A longer timer would end at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** Matches the forms of a DNS server: `address`, `[address]` or `address:port`. */
const SERVER = /^(?:\[([^\]]+)\](?::(\d{1,5}))?|([^:]+):(\d{1,5})|(.+))$/;

export const HOSTS_FLAGS = {
  server: listFlag(
    {
      name: "server",
      value: "ADDRESS[:PORT]",
      text: "ask this DNS server (default: the system's); repeat the flag for more",
    },
    checkServer,
  ),
  concurrency: wholeNumberFlag({
    name: "concurrency",
    value: "N",
    default: 16,
    text: "look-ups at the same time",
  }),
  timeout: wholeNumberFlag({
    name: "timeout",
    value: "MS",
    default: 3000,
    max: LONGEST_TIMEOUT_MS,
    text: "the time limit of a look-up",
  }),
  help: HELP_FLAG,
};

export const HOSTS: Command = {
  name: "hosts",
  operands: "[FILE…]",
  summary: "asks DNS for the names of IP addresses in URLs, as a hosts file",
  intro: [
    "Each address that is the host of a URL is sent to a DNS server, and its name is written if the name leads back to the address. An address without such a name becomes a comment with the reason. urlmill normalize --hosts-file FILE applies the file.",
    "To count the URLs of each host: urlmill dedupe --form host -c FILE",
  ],
  groups: [{ flags: Object.values(HOSTS_FLAGS) }],
  examples: ["urlmill hosts urls.txt > hosts.txt"],
};

/** Returns a DNS server as given. Throws a CommandFailure if it is not an address, with or without a port. */
function checkServer(server: string): string {
  const [, bracketed, bracketedPort, plain, plainPort, whole] = SERVER.exec(server) ?? [];
  // An import statement would load the module for all commands.
  const { isIP } = process.getBuiltinModule("node:net");
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
