interface Versions {
  readonly node?: string;
  readonly deno?: string;
  readonly bun?: string;
}

// Deno and Bun name a version of Node too.
const { node, deno, bun }: Versions = globalThis.process?.versions ?? {};

/** Whether this is Node 20, on which `new URL` is slower, so that more is asked of us. */
export const isNode20 = node?.startsWith("20.") === true;

/** Returns what runs this, with its version: `Node v24.21.0`, `Bun 1.4.5`. */
export function platform(): string {
  if (deno !== undefined) return `Deno ${deno}`;
  if (bun !== undefined) return `Bun ${bun}`;
  if (node !== undefined) return `Node v${node}`;
  const { userAgent } = navigator;
  return /Chrom\w+\/\d+/.exec(userAgent)?.[0].replace("/", " ") ?? userAgent;
}
