/** Declares the functions of the package that are used. The package brings no types. */
declare module "fs-native-extensions" {
  /** Locks a file, or a part of it, for this descriptor. Returns false if another descriptor has the lock. */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
}
