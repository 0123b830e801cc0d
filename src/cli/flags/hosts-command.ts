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
      text: "ask this DNS server; again for more (default: the system's)",
    },
    checkServer,
  ),
  concurrency: wholeNumberFlag({
    name: "concurrency",
    value: "N",
    default: 16,
    text: "look-ups under way at a time",
  }),
  timeout: wholeNumberFlag({
    name: "timeout",
    value: "MS",
    default: 3000,
    max: LONGEST_TIMEOUT_MS,
    text: "for one look-up",
  }),
  help: HELP_FLAG,
};

export const HOSTS: Command = {
  name: "hosts",
  operands: "[FILE…]",
  summary: "names of the IP addresses in URLs, as a hosts file",
  intro: [
    "Looks up the name of each address and confirms that the name leads back to it. What has no such name is written as a comment with the reason. urlmill normalize --hosts-file FILE applies it.",
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
