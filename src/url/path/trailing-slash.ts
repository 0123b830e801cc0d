/** Returns a path with a slash at its end. A path with a dot in its last segment stays as it is. */
export function withSlash(path: string): string {
  return path.endsWith("/") || path.includes(".", path.lastIndexOf("/")) ? path : `${path}/`;
}
