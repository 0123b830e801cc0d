import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Redis } from "ioredis";
import { RedisServer } from "./redis-server.ts";

/** Two Redis servers that form a cluster, in which the first one has all slots. */
export class RedisCluster {
  readonly #servers = [new RedisServer(), new RedisServer()] as const;
  readonly #ports: number[] = [];
  /** A client of each. */
  clients: readonly [Redis, Redis] | null = null;

  /** Returns the address that a client of the cluster connects to. */
  get node(): { host: string; port: number } {
    return { host: "127.0.0.1", port: this.#ports[0] as number };
  }

  async start(): Promise<void> {
    for (const server of this.#servers) {
      const [port, bus] = [await freePort(), await freePort()];
      this.#ports.push(port);
      await server.start([
        ...["--port", `${port}`, "--bind", "127.0.0.1", "--appendonly", "no"],
        ...["--cluster-enabled", "yes", "--cluster-port", `${bus}`],
      ]);
    }
    const [first, second] = this.#servers.map((server) => new Redis(server.socket)) as [
      Redis,
      Redis,
    ];
    this.clients = [first, second];
    await first.call("CLUSTER", ["ADDSLOTSRANGE", 0, 16383]);
    const info = String(await second.call("CLUSTER", ["NODES"]));
    const bus = /@(\d+)/.exec(info)?.[1] as string;
    await first.call("CLUSTER", ["MEET", "127.0.0.1", this.#ports[1] as number, bus]);
    await until(async () => {
      const states = await Promise.all(
        [first, second].map((client) => client.call("CLUSTER", ["INFO"])),
      );
      return states.every(
        (state) => /state:ok/.test(`${state}`) && /known_nodes:2/.test(`${state}`),
      );
    });
  }

  /** Begins to move the slot of a key from the first server to the second. */
  async beginMove(key: string): Promise<void> {
    const [first, second] = this.clients as readonly [Redis, Redis];
    const slot = Number(await first.call("CLUSTER", ["KEYSLOT", key]));
    const [from, to] = await Promise.all(
      [first, second].map((client) => client.call("CLUSTER", ["MYID"])),
    );
    await second.call("CLUSTER", ["SETSLOT", slot, "IMPORTING", String(from)]);
    await first.call("CLUSTER", ["SETSLOT", slot, "MIGRATING", String(to)]);
  }

  /** Moves a key of a slot that moves. */
  async move(key: string): Promise<void> {
    const [first] = this.clients as readonly [Redis, Redis];
    await first.call("MIGRATE", ["127.0.0.1", this.#ports[1] as number, key, 0, 5000]);
  }

  /** Ends the move of the slot of a key. */
  async endMove(key: string): Promise<void> {
    const [first, second] = this.clients as readonly [Redis, Redis];
    const slot = Number(await first.call("CLUSTER", ["KEYSLOT", key]));
    const to = String(await second.call("CLUSTER", ["MYID"]));
    for (const client of [second, first]) {
      await client.call("CLUSTER", ["SETSLOT", slot, "NODE", to]);
    }
  }

  async remove(): Promise<void> {
    for (const client of this.clients ?? []) client.disconnect();
    for (const server of this.#servers) await server.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
