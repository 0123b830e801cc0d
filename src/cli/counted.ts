/** Returns a number with the noun in its form for that number: `1 URL`, `2 URLs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
