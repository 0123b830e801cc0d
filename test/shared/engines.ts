import { describe } from "vitest";
import { createNormalizer, type Normalizer, type NormalizerOptions } from "../../src/index.ts";

export const ENGINES = ["wasm", "js"] as const;

export type Create = (options?: Omit<NormalizerOptions, "engine">) => Normalizer;

/** Runs one suite on both engines: a behaviour only one of them is tested for is a defect. */
export function describeEngines(
  name: string,
  suite: (create: Create, engine: (typeof ENGINES)[number]) => void,
): void {
  describe.each(ENGINES)(`${name} (%s)`, (engine) => {
    suite((options) => createNormalizer({ ...options, engine }), engine);
  });
}
