/**
 * Returns copies of strings, each on its own as a parser makes it, not a slice of one large string. Nothing
 * has hashed or read them yet.
 */
export function fresh(urls: readonly string[]): string[] {
  return JSON.parse(JSON.stringify(urls)) as string[];
}
