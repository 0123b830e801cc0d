import { builtin } from "../base/peer.ts";
import { controlGroups, readSystem } from "./control-groups.ts";

/**
 * Returns how many threads can run at a time: as many as the system says, but no more than the CPU time that the control group
 * of this process, and all groups above it, may take. Node 20 does not ask for that. `root`: as for `processMemory`.
 */
export function processCores(root = "/"): number {
  const quotas = controlGroups("cpu", root).map(({ version, folder }) => {
    const file = (name: string): string => readSystem(root, `${folder}/${name}`).trim();
    return version === "cgroup2"
      ? quotaOf(file("cpu.max"))
      : quotaOf(`${file("cpu.cfs_quota_us")} ${file("cpu.cfs_period_us")}`);
  });
  const cores = builtin("node:os").availableParallelism();
  return Math.max(1, Math.min(cores, ...quotas.map(Math.ceil)));
}

/**
 * Returns how many CPUs a quota allows: `150000 100000`, the time per period, allows 1.5. A group without a quota has `max` or
 * -1 in the place of the time, or no such file: Infinity.
 */
export function quotaOf(text: string): number {
  const [, time, period] = /^(\d+) (\d+)$/.exec(text) ?? [];
  return time === undefined ? Number.POSITIVE_INFINITY : Number(time) / Number(period);
}
