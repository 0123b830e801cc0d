import { UrlmillError } from "../base/errors.ts";

/** The names that messages show for outputs that were opened before. */
const shown = new Map<string, string>();

/** Lets messages show `as` for an output. Returns a function that ends this. */
export function showOutputAs(name: string, as: string): () => void {
  shown.set(name, as);
  return () => shown.delete(name);
}

/** Returns the name of an input as messages show it: `-` is standard input. */
export function shownInput(name: string): string {
  return name === "-" ? "standard input" : name;
}

/** Calls `read`, and names an input, as messages show it, in the error of this package that it throws. */
export function named<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw namedError(shown, error);
  }
}

/** Returns an error of this package with the name of an input, as messages show it; any other error as it is. */
export function namedError(shown: string, error: unknown): unknown {
  if (!(error instanceof UrlmillError)) return error;
  return new UrlmillError(error.code, `${shown}: ${error.message}`);
}

/** Returns the name of an output as messages show it: `-` is standard output. */
export function shownOutput(name: string): string {
  return name === "-" ? "standard output" : (shown.get(name) ?? name);
}

/**
 * Returns whether a name is that of the device that keeps nothing, on a system where opening it by this name would make a file,
 * or fail: on Windows, `NUL` and `/dev/null`.
 */
export function isNullDevice(name: string, platform = process.platform): boolean {
  return platform === "win32" && /^(?:nul|\/dev\/null)$/i.test(name);
}
