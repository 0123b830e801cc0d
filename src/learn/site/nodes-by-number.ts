/** Lists the nodes that have each of some numbers: paths, or parameters. It is two arrays for all of them. */
export class NodesByNumber {
  readonly #start: Int32Array;
  readonly #nodes: Int32Array;

  /**
   * Takes the numbers of nodes, below `total`. Those of a node begin at `starts[node]`; if `starts` is null, each node
   * has one number.
   */
  constructor(starts: Int32Array | null, numbers: Int32Array, total: number) {
    const start = new Int32Array(total + 1);
    for (const id of numbers) start[id + 1] = (start[id + 1] as number) + 1;
    for (let id = 0; id < total; id++)
      start[id + 1] = (start[id + 1] as number) + (start[id] as number);
    const next = start.slice();
    this.#nodes = new Int32Array(numbers.length);
    const count = starts === null ? numbers.length : starts.length - 1;
    for (let node = 0; node < count; node++) {
      const end = starts === null ? node + 1 : (starts[node + 1] as number);
      for (let at = starts === null ? node : (starts[node] as number); at < end; at++) {
        const id = numbers[at] as number;
        const place = next[id] as number;
        this.#nodes[place] = node;
        next[id] = place + 1;
      }
    }
    this.#start = start;
  }

  /** Returns the nodes that have a number. A node that has it twice is listed twice. */
  of(id: number): Int32Array {
    return this.#nodes.subarray(this.#start[id], this.#start[id + 1]);
  }
}
