// Times whole commands for the proofs that do so.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Runs a command; its seconds, its peak memory in MB and what it said on standard error. */
export async function time(command, args, options = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], ...options });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  let peak = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has just ended, or the system has no /proc.
    }
  }, 20);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${complaint}`);
  return { seconds: (performance.now() - started) / 1000, peak, complaint };
}
