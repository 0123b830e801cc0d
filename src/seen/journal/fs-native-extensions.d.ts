/** The part of the package that is used: it brings no types of its own. */
declare module "fs-native-extensions" {
  /** Locks a file for this descriptor alone, or a part of it; false where another has it. */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
}
