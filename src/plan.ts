/**
 * A plan is what options compile to: one immutable block of little-endian 32-bit words that both
 * engines read. `assembly/plan.ts` documents the same layout for the kernel.
 */
export interface Plan {
  /** The block itself. */
  readonly bytes: Uint8Array;
  /** Longest URL in bytes, in and out. */
  readonly maxLength: number;
  /** Scheme put before input that has none, or "" for none. */
  readonly defaultScheme: DefaultScheme | "";
}

/** The special schemes that need a host, in the order of their numbers in the kernel. */
export const DEFAULT_SCHEMES = ["http", "https", "ws", "wss", "ftp"] as const;
export type DefaultScheme = (typeof DEFAULT_SCHEMES)[number];

const PLAN_VERSION = 1;

export function compilePlan(options: {
  maxLength: number;
  defaultScheme: DefaultScheme | "";
}): Plan {
  const bytes = new Uint8Array(12);
  const words = new DataView(bytes.buffer);
  words.setUint32(0, PLAN_VERSION, true);
  words.setUint32(4, options.maxLength, true);
  const scheme = options.defaultScheme;
  words.setUint32(8, scheme === "" ? 0 : DEFAULT_SCHEMES.indexOf(scheme) + 1, true);
  return { bytes, ...options };
}
