import type { Source } from "../../src/io/source.ts";
import type { Random } from "./random.ts";

/** Returns a source that gives as many bytes at a time as chance has it. */
export function sourceOf(bytes: Uint8Array, random: Random): Source {
  let at = 0;
  return {
    get taken() {
      return at;
    },
    read: async (into) => {
      const length = Math.min(1 + random.below(into.length), bytes.length - at);
      into.set(bytes.subarray(at, at + length));
      at += length;
      return length;
    },
    close: async () => {},
  };
}
