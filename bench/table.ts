// Measures the table of paths, the same on each platform.
import type { Corpus } from "./corpus.ts";
import { measure, type Times } from "./measure.ts";
import type { MakePath, Path, Peer } from "./path.ts";
import { platform } from "./platform.ts";

/** Holds the measurement of a path. */
export interface Result {
  readonly path: Path;
  readonly times: Times;
}

/** Says what is measured. `only` is a part of the names of the rows to measure. */
export interface Measured {
  readonly corpus: Corpus;
  readonly peers: readonly Peer[];
  readonly paths: readonly MakePath[];
  readonly only: string;
  readonly rounds: number;
  readonly cpu: string;
}

/** Measures each path, and hands on each line of the table as soon as it is known. */
export async function printTable(
  { corpus, peers, paths, only, rounds, cpu }: Measured,
  print: (line: string) => void,
): Promise<Result[]> {
  const { urls, bytes, name } = corpus;
  print(
    `${urls.length} URLs of ${name}, ${(bytes.length / urls.length).toFixed(1)} bytes each with LF`,
  );
  print(`${platform()}, ${cpu}, one core, median of ${rounds} interleaved rounds\n`);
  print("| path | urlmill wasm | urlmill js | peer | x peer | asked |");
  print("|---|---:|---:|---:|---:|---:|");
  const results: Result[] = [];
  for (const make of paths) {
    const path = make(corpus, peers);
    if (!path.name.includes(only)) continue;
    const result = { path, times: await measure(path, rounds) };
    results.push(result);
    print(rowOf(result));
  }
  print("");
  for (const result of results) print(noteOf(result));
  return results;
}

/** Returns the time of the watched peer over ours. */
export function ratioOf({ path: { contestants, reference }, times }: Result): number {
  return (times.get(reference) as number) / (times.get(contestants[0]?.name as string) as number);
}

function rowOf(result: Result): string {
  const { path, times } = result;
  const [wasm, js] = [...times.values()];
  const peer = `${path.reference} ${times.get(path.reference)?.toFixed(0)}`;
  const ratio = ratioOf(result).toFixed(2);
  return `| ${path.name} | ${wasm?.toFixed(0)} | ${js?.toFixed(0)} | ${peer} | ${ratio} | ${path.target.toFixed(2)} |`;
}

function noteOf({ path, times }: Result): string {
  const others = [...times].slice(2).filter(([name]) => name !== path.reference);
  const also = others.map(([name, time]) => `; ${name} ${time.toFixed(0)}`).join("");
  return `- ${path.name}: ${path.note}${also}.`;
}
