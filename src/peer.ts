import { type CallErrorCode, UrlmillError } from "./errors.ts";

/**
 * Loads a package that only some need. Throws an error with this code, which says how to get the
 * package, where it is missing.
 */
export async function loadPeer<T>(
  name: string,
  code: CallErrorCode,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UrlmillError(code, `this takes the package ${name}: npm install ${name}`);
  }
}
