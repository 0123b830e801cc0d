import { UrlmillError } from "../../src/base/errors.ts";
import { createNormalizer, type Normalizer, type NormalizerOptions } from "../../src/index.ts";
import { CountedKernel } from "./kernel.ts";

/** The longest input that libFuzzer gives, and room for a last line end. */
const CAPACITY = 1 << 16;

/** Compares the kernel with the JavaScript engine. */
export class Comparison {
  readonly #kernel = new CountedKernel();
  readonly #js: Normalizer;

  /** Throws an `UrlmillError` for options that are refused. */
  constructor(options: NormalizerOptions) {
    this.#js = createNormalizer({ ...options, engine: "js" });
    if (!this.#kernel.load(this.#js.plan, CAPACITY)) throw new Error("the plan is refused");
  }

  /** Throws an error if the engines make anything else of these lines, or their output is not its own normal form. */
  check(lines: Uint8Array): void {
    let rest = lines;
    while (rest.length > 0) {
      const { rows, consumed, output, status } = this.#kernel.lines(rest);
      if (rows === 0 || consumed === 0) throw new Error("no progress");
      const other = this.#js.normalizeLines(rest.subarray(0, consumed));
      const text = Buffer.from(other.bytes).toString("latin1");
      if (output !== text)
        throw new Error(`${JSON.stringify(output)} is not ${JSON.stringify(text)}`);
      if (`${status}` !== `${other.status}`) throw new Error(`${status} is not ${other.status}`);
      const again = this.#js.normalizeLines(other.bytes);
      if (!Buffer.from(again.bytes).equals(other.bytes)) throw new Error(`not a fixpoint: ${text}`);
      rest = rest.subarray(consumed);
    }
  }
}

/** Returns what `make` makes, or null if it refuses what it is given with an error that has a code. */
export function unlessRefused<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof UrlmillError) return null;
    throw error;
  }
}
