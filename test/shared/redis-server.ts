import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Redis } from "ioredis";
import { tempFolder } from "./temp-folder.ts";
import { isHere } from "./tools.ts";

/** Returns whether this machine has a Redis server. Prints a clear warning if it has no server. */
export function hasRedis(): boolean {
  const { status } = spawnSync("redis-server", ["--version"]);
  if (isHere("redis-server", status === 0)) return true;
  console.warn("\n  NO redis-server HERE: the tests of the set in Redis are SKIPPED\n");
  return false;
}

/**
 * A Redis server of its own, on a socket in a temporary folder, with an append-only file. It writes the file
 * before it answers (`always`): with `everysec` answers go out before their rows are written while the disk is
 * slow, and a crash then forgets these rows.
 */
export class RedisServer {
  readonly #folder = tempFolder();
  #process: ChildProcess | null = null;

  /** Returns the socket that a client connects to. */
  get socket(): string {
    return join(this.#folder, "socket");
  }

  /** Starts it with further settings, as its command line has them. */
  async start(settings: readonly string[] = []): Promise<void> {
    const persistence = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    const place = ["--port", "0", "--unixsocket", this.socket, "--dir", this.#folder];
    this.#process = spawn("redis-server", [...place, ...persistence, ...settings], {
      stdio: "ignore",
    });
    const client = new Redis(this.socket, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on("error", () => {}); // not yet there
    await client.ping();
    client.disconnect();
  }

  /** Stops its answers. Requests wait until `resume`. */
  pause(): void {
    this.#process?.kill("SIGSTOP");
  }

  /** Lets it answer again. */
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
    this.#process = null;
  }
}
