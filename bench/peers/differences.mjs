/**
 * Finds the lines in which outputs of the same form differ. `outputs` has the lines of each output by its name. Returns, for
 * each such line, its number from 1 and each result with the names that gave it; `null` is the result of an output that has
 * ended before.
 *
 * @example differences({ a: ["x", "y"], b: ["x", "z"] }); // [{ line: 2, results: [["y", ["a"]], ["z", ["b"]]] }]
 */
export function differences(outputs) {
  const entries = Object.entries(outputs);
  const lines = entries.reduce((most, [, output]) => Math.max(most, output.length), 0);
  const found = [];
  for (let row = 0; row < lines; row++) {
    const first = entries[0][1][row];
    if (entries.every(([, output]) => output[row] === first)) continue;
    const results = new Map();
    for (const [name, output] of entries) {
      const result = output[row] ?? null;
      results.set(result, [...(results.get(result) ?? []), name]);
    }
    found.push({ line: row + 1, results: [...results] });
  }
  return found;
}
