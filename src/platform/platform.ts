import type { KernelFile } from "../engine/wasm/kernel-module.ts";

/** Names what javascript.ts exports. */
export type JavaScript = typeof import("./javascript.ts");

/** Describes what differs between platforms: how the kernel and the rest of the code are loaded. */
export interface Platform extends KernelFile {
  /** Returns javascript.ts. */
  javascript(): JavaScript;
}
