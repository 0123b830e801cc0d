import { type ControlGroup, controlGroups, readSystem } from "./control-groups.ts";

/** Says how much memory a process may have, and how much of that it may still take, in bytes. */
export interface MemoryRoom {
  readonly limit: number;
  readonly free: number;
}

/** What the machine has where the platform does not say: then a set may take 1 GiB. */
const UNKNOWN_MEMORY = (4 / 3) * 2 ** 30;

/** The files in which a version of control groups keeps the limit and the use of a group, in bytes. */
const FILES = {
  cgroup: { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", prefix: "total_" },
  cgroup2: { limit: "memory.max", used: "memory.current", prefix: "" },
} as const;

/**
 * Returns the memory that this process may have: the least of the machine's memory, the limits of its control group and
 * of all groups above it, and the limit on its address space (`ulimit -v`). `root`: the folder in which `/proc` and the
 * control groups are. On other systems than Linux, Node says what the limit is.
 */
export function processMemory(root = "/"): MemoryRoom {
  // Much of the address space that is taken is only reserved, so what is left of it says little about memory.
  const total = Math.min(machineMemory(), addressSpace(root).limit);
  const rooms = [{ limit: total, free: total - takenBytes(root) }, ...groups(root)];
  return {
    limit: Math.min(...rooms.map(({ limit }) => limit)),
    free: Math.max(0, Math.min(...rooms.map(({ free }) => free))),
  };
}

/** Returns the memory of the machine, or the limit of the process that the platform knows of. */
function machineMemory(): number {
  const os = globalThis.process?.getBuiltinModule?.("node:os");
  if (os === undefined) return UNKNOWN_MEMORY;
  try {
    // 0 or absent if the process has no limit.
    const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
    return Math.min(os.totalmem(), limit);
  } catch (error) {
    // Deno asks for --allow-sys.
    if ((error as Error).name !== "NotCapable") throw error;
    return UNKNOWN_MEMORY;
  }
}

/** Returns the memory that this process has taken. Pages of files that it has mapped, such as its code, can be freed. */
export function takenBytes(root = "/"): number {
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readSystem(root, "proc/self/status"))?.[1];
  return anonymous === undefined
    ? (globalThis.process?.memoryUsage?.rss?.() ?? 0)
    : 1024 * Number(anonymous);
}

/** Returns the limit on the address space of this process, and what is left of it. Only Linux says what the limit is. */
export function addressSpace(root = "/"): MemoryRoom {
  const limits = readSystem(root, "proc/self/limits");
  const limit = Number(/^Max address space\s+(\d+)\s/m.exec(limits)?.[1] ?? "Infinity");
  const status = readSystem(root, "proc/self/status");
  const used = 1024 * Number(/^VmSize:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  return { limit, free: limit - used };
}

/**
 * Returns the room of the control group of this process and of all groups above it. `process.constrainedMemory()` reads
 * the group itself only, so it misses the limit of a pod or a service around it. It says nothing of what other processes
 * of a group have taken.
 */
function groups(root: string): MemoryRoom[] {
  return controlGroups("memory", root).map((group) => groupRoom(root, group));
}

/** Returns the room of one group. Pages of files that no process has mapped can be freed, so they do not count. */
function groupRoom(root: string, { version, folder }: ControlGroup): MemoryRoom {
  const { limit, used, prefix } = FILES[version];
  const stat = readSystem(root, `${folder}/memory.stat`);
  const statOf = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? Number.NaN);
  const cached = ["inactive_file", "active_file"].map((name) => statOf(prefix + name) || 0);
  const mapped = statOf(version === "cgroup" ? "total_mapped_file" : "file_mapped") || 0;
  const freeable = Math.max(0, cached.reduce((sum, bytes) => sum + bytes, 0) - mapped);
  // Version 1 says here what groups above the mount allow.
  const most = Math.min(
    bytesIn(readSystem(root, `${folder}/${limit}`)),
    statOf("hierarchical_memory_limit") || Number.POSITIVE_INFINITY,
  );
  const taken = Number(readSystem(root, `${folder}/${used}`)) - freeable;
  return { limit: most, free: most - Math.max(0, taken) };
}

/** Returns the limit in a file. A group without one has `max`, or no such file. */
function bytesIn(text: string): number {
  return /^\d+\n?$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
