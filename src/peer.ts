import { type CallErrorCode, UrlmillError } from "./errors.ts";

/**
 * Loads an optional package. If it is not installed, throws an error with this code that says how
 * to install it.
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
    throw new UrlmillError(code, `this needs the package ${name}: npm install ${name}`);
  }
}
