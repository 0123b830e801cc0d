import type * as fs from "node:fs";
import type * as promises from "node:fs/promises";
import type { Random } from "./random.ts";

/** The functions for files that can fail, of handles and by names. */
const ON_HANDLES = ["read", "write", "truncate", "sync", "datasync", "stat", "close"] as const;
const ON_NAMES = ["open", "rename", "rm", "stat", "readdir", "mkdir"] as const;

type Call = (...values: unknown[]) => unknown;

/**
 * Wraps Node's functions for files: one call fails, or all from one on, as if the process ended there, or all reads and
 * writes are short. Counts open handles.
 */
export class FaultyDisk {
  /** Counts the calls. */
  calls = 0;
  /** Counts the calls of each function. */
  readonly callsOf = new Map<string, number>();
  /** Counts the handles that are open. */
  open = 0;
  /** The call that failed. */
  failed: string | null = null;
  #failing = 0;
  /** The function whose calls are numbered; null for all. */
  #function: string | null = null;
  #code = "";
  #ends = false;
  #random: Random | null = null;

  /** Begins anew. The call of that number fails, from 1 on; 0: none does. With `random`, reads and writes are short. */
  begin(failing: number, code: string, random: Random | null = null): void {
    this.calls = 0;
    this.callsOf.clear();
    this.failed = null;
    this.#failing = failing;
    this.#function = null;
    this.#code = code;
    this.#random = random;
    this.#ends = false;
  }

  /** Begins anew. The call of that number fails, of those of a function. */
  beginOf(name: string, failing: number, code: string): void {
    this.begin(failing, code);
    this.#function = name;
  }

  /** Begins anew. The call of that number and all later ones fail, so that files stay as they are. */
  beginToEnd(failing: number): void {
    this.begin(failing, "EIO");
    this.#ends = true;
  }

  wrap(real: typeof promises): typeof promises {
    const own = Object.fromEntries(
      ON_NAMES.map((name) => [
        name,
        async (...values: unknown[]) => {
          this.#count(name);
          const result = await (real[name] as Call)(...values);
          return name === "open" ? this.#wrapHandle(result as promises.FileHandle) : result;
        },
      ]),
    );
    return { ...real, ...own };
  }

  /** Wraps the functions that do not wait. */
  wrapNow(real: typeof fs): typeof fs {
    return {
      ...real,
      fstatSync: (...values: Parameters<typeof fs.fstatSync>) => {
        this.#count("fstatSync");
        return real.fstatSync(...values);
      },
      readSync: (fd: number, into: Uint8Array, at: number, length: number, from: number) => {
        this.#count("readSync");
        return real.readSync(fd, into, at, this.#part(length), from);
      },
    } as typeof fs;
  }

  #wrapHandle(handle: promises.FileHandle): promises.FileHandle {
    this.open++;
    return new Proxy(handle, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (!ON_HANDLES.includes(name as "read")) return value.bind(target);
        return (...values: unknown[]) => this.#onHandle(String(name), value.bind(target), values);
      },
    });
  }

  async #onHandle(name: string, call: Call, values: unknown[]): Promise<unknown> {
    if (name === "close") {
      await call(); // the system closes a handle also if it says that it failed
      this.open--;
    }
    this.#count(`handle.${name}`);
    if (name === "close") return undefined;
    if (name === "datasync" || name === "sync") return undefined; // no power is cut here
    const [bytes, at, length, position] = values;
    const isPartial = (name === "read" || name === "write") && typeof length === "number";
    return isPartial ? call(bytes, at, this.#part(length), position) : call(...values);
  }

  #part(length: number): number {
    return this.#random === null || length < 2 ? length : 1 + this.#random.below(length - 1);
  }

  #count(name: string): void {
    const calls = (this.callsOf.get(name) ?? 0) + 1;
    this.callsOf.set(name, calls);
    this.calls++;
    const number = this.#function === null ? this.calls : this.#function === name ? calls : 0;
    const isAt = number === this.#failing && number > 0;
    const isAfter = this.#ends && number > this.#failing;
    if (!isAt && !isAfter) return;
    this.failed = name;
    throw Object.assign(new Error(`${this.#code}: a fault of the test`), { code: this.#code });
  }
}
