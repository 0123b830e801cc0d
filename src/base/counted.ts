/** Returns a number with the noun in its form for that number: `1 URL`, `2 URLs`. */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${noun(one, count, many)}`;
}

/** Returns a noun in its form for a number. `many` is the plural, needed if it is not formed with an s. */
export function noun(one: string, count: number, many = `${one}s`): string {
  return count === 1 ? one : many;
}
