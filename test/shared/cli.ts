import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line; output as byte strings. */
export async function runCli(
  args: readonly string[],
  input: string | Uint8Array = "",
  env: Record<string, string> = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: "pipe",
    env: { ...process.env, URLMILL_ENGINE: "", ...env },
  });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  child.stdin.on("error", () => {}); // the command may end before it has read everything
  child.stdin.end(typeof input === "string" ? Buffer.from(input, "latin1") : input);
  const [code] = (await once(child, "close")) as [number | null];
  return {
    code,
    stdout: Buffer.concat(chunks.stdout).toString("latin1"),
    stderr: Buffer.concat(chunks.stderr).toString("latin1"),
  };
}

export { MAIN as CLI_PATH };

/**
 * Runs a shell script in which `urlmill` is the built command line, so that the shell opens its files.
 * Stopped after `timeoutMs`; the code is then null.
 */
export function runShell(script: string, cwd: string, timeoutMs = 20_000): CliResult {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", `urlmill() { "$NODE" "$MAIN" "$@"; }\n${script}`],
    {
      cwd,
      env: { ...process.env, NODE: process.execPath, MAIN, URLMILL_ENGINE: "" },
      encoding: "latin1",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    },
  );
  return { code: status, stdout, stderr };
}
