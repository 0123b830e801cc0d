/** Names what javascript.ts exports. */
export type JavaScript = typeof import("../javascript.ts");

/** Describes what differs between platforms: how the kernel and the rest of the code are loaded. */
export interface Platform {
  /** Returns javascript.ts. */
  javascript(): JavaScript;
  /**
   * Returns the bytes of the kernel; null if it must be fetched. Throws the platform's error for a file that
   * it cannot read.
   */
  readKernel(): Uint8Array<ArrayBuffer> | null;
  /** Returns the address of the kernel; null if `readKernel` returns its bytes. */
  kernelUrl(): URL | null;
}
