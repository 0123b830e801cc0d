interface Versions {
  readonly node?: string;
  readonly deno?: string;
  readonly bun?: string;
}

// Deno and Bun report a version of Node too.
const { node, deno, bun }: Versions = globalThis.process?.versions ?? {};

/**
 * Returns the target ratio for this version of Node: `new URL` is slower on 20 and faster on 26 than on 24.
 */
export function asked(on24: number, on20: number, on26: number): number {
  const major = node?.split(".")[0];
  if (major === "20") return on20;
  return major === "26" ? on26 : on24;
}

/** Returns the name and version of the runtime: `Node v24.21.0`, `Bun 1.4.5`. */
export function platform(): string {
  if (deno !== undefined) return `Deno ${deno}`;
  if (bun !== undefined) return `Bun ${bun}`;
  if (node !== undefined) return `Node v${node}`;
  const { userAgent } = navigator;
  return /Chrom\w+\/\d+/.exec(userAgent)?.[0].replace("/", " ") ?? userAgent;
}
