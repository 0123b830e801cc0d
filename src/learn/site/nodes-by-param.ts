/** Lists the nodes that have each parameter, name and value, in two arrays for all of them. */
export class NodesByParam {
  readonly #start: Int32Array;
  readonly #nodes: Int32Array;

  /** Takes the numbers of the parameters of nodes: those of a node from `paramStart[node]` on. */
  constructor(paramStart: Int32Array, paramIds: Int32Array, params: number) {
    const start = new Int32Array(params + 1);
    for (const id of paramIds) start[id + 1] = (start[id + 1] as number) + 1;
    for (let id = 0; id < params; id++)
      start[id + 1] = (start[id + 1] as number) + (start[id] as number);
    const next = start.slice();
    this.#nodes = new Int32Array(paramIds.length);
    for (let node = 0; node + 1 < paramStart.length; node++) {
      for (let at = paramStart[node] as number; at < (paramStart[node + 1] as number); at++) {
        const id = paramIds[at] as number;
        const place = next[id] as number;
        this.#nodes[place] = node;
        next[id] = place + 1;
      }
    }
    this.#start = start;
  }

  /** Nodes that have a parameter, by its number; a node that has it twice stands there twice. */
  of(id: number): Int32Array {
    return this.#nodes.subarray(this.#start[id], this.#start[id + 1]);
  }
}
