import { UrlmillError } from "../errors.ts";

/** Loads a package that only some need; says how to get it where it is missing. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UrlmillError("SEEN_FAILED", `this takes the package ${name}: npm install ${name}`);
  }
}
