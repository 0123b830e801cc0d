// Hands to the fuzzer which places of the counted module an input reached (count-edges.mjs).
import { readFileSync } from "node:fs";

/** The name of the module, and the export by which its instances are known: main.mjs sets both. */
declare const COUNTED: { readonly name: string; readonly mark: string };

/** What Jazzer.js puts into the global scope. */
interface JazzerGlobal {
  readonly Fuzzer?: {
    readonly coverageTracker: { createModuleCounters(size: number): Uint8Array };
  };
}

/** Names the file of the counted module. */
export const COUNTED_MODULE = `build/fuzz/${COUNTED.name}.wasm`;
/** Says of each place, by its number, its file and line. */
export const PLACES: readonly string[] = JSON.parse(
  readFileSync(`build/fuzz/${COUNTED.name}.json`, "utf8"),
);
/** Marks the places that were reached since the process began. */
export const reached: Uint8Array = new Uint8Array(PLACES.length);
const counters = (globalThis as JazzerGlobal).Fuzzer?.coverageTracker.createModuleCounters(
  PLACES.length,
);

/** The instances whose counts were not handed on yet, or that stay. */
const instances: WebAssembly.Instance[] = [];

const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(module, imports);
    if (COUNTED.mark in this.exports) instances.push(this);
  }
};

/** Hands the counts on after each input. The instances that an input made are forgotten then, and the others stay. */
export function counted<Done extends void | Promise<void>>(
  fuzz: (data: Buffer) => Done,
): (data: Buffer) => Done {
  const lasting = instances.length;
  const handOn = (): void => {
    for (const { exports } of instances) {
      const { buffer } = exports["memory"] as WebAssembly.Memory;
      const counts = new Uint8Array(buffer, 0, PLACES.length);
      for (const [place, count] of counts.entries()) {
        if (count === 0) continue;
        reached[place] = 1;
        if (counters !== undefined) counters[place] = count;
      }
      counts.fill(0);
    }
    instances.length = lasting;
  };
  return (data) => {
    const done = fuzz(data);
    if (done instanceof Promise) return done.then(handOn) as Done;
    handOn();
    return done;
  };
}
