// Times whole commands for the proofs that do so.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Kernel clock ticks a second, in which /proc counts (sysconf(_SC_CLK_TCK), 100 on all Linux that Node runs on). */
const TICKS = 100;

/** Runs a command; its seconds, the processor's, its peak memory in MB and what it said on standard error. */
export async function time(command, args, options = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], ...options });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  let peak = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      // The fields after the name in parentheses: utime and stime are the 12th and 13th.
      const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      ticks = Number(stat[11]) + Number(stat[12]);
    } catch {
      // It has just ended, or the system has no /proc.
    }
  }, 20);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${complaint}`);
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: ticks / TICKS,
    peak,
    complaint,
  };
}

/** Prints what a run took for each of so many lines. Returns the nanoseconds of the processor. */
export function sayTime(name, { seconds, cpuSeconds, peak }, lines) {
  const ns = (cpuSeconds / lines) * 1e9;
  console.log(
    `${name}: ${ns.toFixed(0)} ns CPU a line, ${peak.toFixed(0)} MB, ${seconds.toFixed(0)} s`,
  );
  return ns;
}

/** Says which promise is not kept, and lets the process end with 1. */
export function check(isKept, promise) {
  if (isKept) return;
  console.log(`not kept: ${promise}`);
  process.exitCode = 1;
}
