import { Bench } from "tinybench";
import type { Path } from "./path.ts";

/** Holds the nanoseconds per URL of each contestant. */
export type Times = ReadonlyMap<string, number>;

/** Rounds that are not counted, because engines compile a function better after it ran often. */
const WARM_UP = 5;

/** Returns the median time of each contestant. In each round every contestant runs once, in turn. */
export async function measure(
  { contestants }: Pick<Path, "contestants">,
  rounds: number,
): Promise<Times> {
  const bench = new Bench({ iterations: 1, time: 0, warmup: false, throws: true });
  for (const { name, run, before } of contestants) {
    bench.add(name, run, before === undefined ? {} : { beforeEach: before });
  }
  const samples = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { name, result } of await bench.run()) {
      if (result.state !== "completed") throw new Error(`${name}: ${result.state}`);
      if (round >= 0) samples.get(name)?.push(result.latency.mean);
    }
    bench.reset();
  }
  return new Map(
    contestants.map(({ name, urls }) => [name, (median(samples.get(name) ?? []) * 1e6) / urls]),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
