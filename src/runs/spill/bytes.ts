/** Returns a number of bytes for people. */
export function megabytes(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}
