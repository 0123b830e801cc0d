import { type CallErrorCode, UrlmillError } from "./errors.ts";

/**
 * Returns a module of Node. It is looked up with each call, not imported, because bundlers for browsers do not
 * find one. Throws `PACKAGE_MISSING` on a platform that does not have it.
 */
export const builtin: typeof process.getBuiltinModule = (name: string) => {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found !== undefined) return found;
  const message = `this needs the module ${name}, which this platform does not have`;
  throw new UrlmillError("PACKAGE_MISSING", message);
};

/**
 * Returns the error to throw where the import of an optional package failed: one with this code that says how
 * to install it, or the error itself if the package is there. Callers import in `try`: bundlers then know that
 * the package need not be installed.
 */
export function peerError(error: unknown, name: string, code: CallErrorCode): unknown {
  if (!isMissing(error as NodeJS.ErrnoException, name)) return error;
  return new UrlmillError(code, `this needs the package ${name}: npm install ${name}`);
}

/** Runtimes and webpack give a code. Browsers, workerd, and what vite puts in the place of a package, only a message. */
function isMissing({ code, message }: NodeJS.ErrnoException, name: string): boolean {
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return true;
  return message.includes(name) && /resolve|specifier|no such module/i.test(message);
}

/**
 * Loads a package that bundles leave out, because it loads files of its own. Bundlers do not see its name. Throws
 * `PACKAGE_MISSING` on a platform without files.
 */
export async function loadUnbundled<T>(name: string): Promise<T> {
  builtin("node:fs");
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}

/** Returns Node's functions for files. */
export const files = (): typeof import("node:fs/promises") => builtin("node:fs/promises");

/** Returns Node's functions for paths. */
export const paths = (): typeof import("node:path") => builtin("node:path");
