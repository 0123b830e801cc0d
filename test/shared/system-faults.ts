import type * as fs from "node:fs/promises";

/** Names the operations that change something on disk. */
const CHANGES = ["mkdir", "open", "rename", "rm", "writeFile"] as const;
const CHANGES_OF_FILE = ["write", "writeFile", "truncate", "sync", "datasync"] as const;

/** Says what happens at an operation: it fails alone, or the process ends there, as far as files can tell. */
export type Fault = "fails" | "ends";

/** Lets operations of `node:fs/promises` fail that change something on disk. */
export class SystemFaults {
  #at = Number.POSITIVE_INFINITY;
  #fault: Fault = "fails";
  #count = 0;
  #names: string[] = [];

  /** Begins to count operations. The one with number `at`, from 0 on, meets the fault. */
  begin(at = Number.POSITIVE_INFINITY, fault: Fault = "fails"): void {
    this.#at = at;
    this.#fault = fault;
    this.#count = 0;
    this.#names = [];
  }

  /** Stops faults. Returns the names of the operations since `begin`. */
  end(): readonly string[] {
    this.#at = Number.POSITIVE_INFINITY;
    return this.#names;
  }

  /** Returns functions of `node:fs/promises` that can fail. */
  wrap(real: typeof fs): typeof fs {
    const wrapped: Record<string, unknown> = { ...real };
    for (const name of CHANGES) {
      const call = real[name] as (...args: unknown[]) => Promise<unknown>;
      wrapped[name] = async (...args: unknown[]) => {
        if (name !== "open" || isForWriting(args[1])) this.#meet(`${name} ${String(args[0])}`);
        const result = await call(...args);
        return name === "open" ? this.#wrapHandle(result as fs.FileHandle) : result;
      };
    }
    return wrapped as typeof fs;
  }

  #wrapHandle(handle: fs.FileHandle): fs.FileHandle {
    const meet = (name: string): void => this.#meet(name);
    return new Proxy(handle, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const isChange = CHANGES_OF_FILE.some((change) => change === name);
        if (!isChange) return value.bind(target);
        return async (...args: unknown[]) => {
          meet(String(name));
          return value.apply(target, args);
        };
      },
    });
  }

  #meet(name: string): void {
    const at = this.#count++;
    this.#names.push(name);
    const meetsFault = this.#fault === "ends" ? at >= this.#at : at === this.#at;
    if (meetsFault) throw Object.assign(new Error(`EIO: ${name}`), { code: "EIO" });
  }
}

function isForWriting(flags: unknown): boolean {
  return flags !== undefined && flags !== "r";
}
