import { unavailable } from "./instance.ts";

/** Holds what `loadKernel` takes: the kernel, or its address. */
export type KernelSource = WebAssembly.Module | BufferSource | Response | URL | string;

/** Says where a platform has the kernel. */
export interface KernelFile {
  /**
   * Returns the bytes of the kernel; null if it must be fetched. Throws the platform's error for a file that
   * it cannot read.
   */
  readKernel(): Uint8Array<ArrayBuffer> | null;
  /** Returns the address of the kernel; null if `readKernel` returns its bytes. */
  kernelUrl(): URL | null;
}

/** Compiles the kernel of a platform, once. */
export class KernelModule {
  readonly #file: KernelFile;
  #compiled: WebAssembly.Module | undefined;

  constructor(file: KernelFile) {
    this.#file = file;
  }

  /**
   * Returns the compiled kernel. Throws `ENGINE_UNAVAILABLE` if the platform refuses WebAssembly, or if the
   * kernel is a file that must be loaded first.
   */
  compiled(): WebAssembly.Module {
    checkPlatform();
    if (this.#compiled === undefined) {
      try {
        const bytes = this.#file.readKernel();
        if (bytes !== null) this.#compiled = new WebAssembly.Module(bytes);
      } catch (error) {
        throw unavailable(String(error));
      }
    }
    if (this.#compiled === undefined) throw unavailable(NOT_LOADED);
    return this.#compiled;
  }

  /** Loads and compiles the kernel, of `source` if it is given. Throws `ENGINE_UNAVAILABLE`. */
  async load(source?: KernelSource): Promise<void> {
    checkPlatform();
    const { readKernel, kernelUrl } = this.#file;
    try {
      if (source !== undefined) this.#compiled = await compile(source);
      else this.#compiled ??= await compile(readKernel() ?? (kernelUrl() as URL));
    } catch (error) {
      throw unavailable(`${error}. Check the address of kernel.wasm, or give loadKernel its bytes`);
    }
  }
}

const NOT_LOADED =
  "the kernel is not loaded. Wait for loadKernel() before the first normalizer, or give the option module";

async function compile(source: KernelSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source);
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

function checkPlatform(): void {
  if (globalThis.WebAssembly === undefined) throw unavailable("the platform does not have it");
}
