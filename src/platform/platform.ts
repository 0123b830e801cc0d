/** Names what javascript.ts exports. */
export type JavaScript = typeof import("../javascript.ts");

/** Describes what differs between platforms: how the kernel and the rest of the code come in. */
export interface Platform {
  /** Returns javascript.ts. */
  javascript(): JavaScript;
  /** Returns the bytes of the kernel; null where it must be fetched. Throws what the platform throws for a file. */
  readKernel(): Uint8Array<ArrayBuffer> | null;
  /** Returns where the kernel can be fetched; null where `readKernel` has it. */
  kernelUrl(): URL | null;
}
