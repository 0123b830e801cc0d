// The interface of the list kernel: src/runs/filter/kernel-finder.ts uses it.

export { findHosts, SCRATCH, setRows } from "./find-hosts";
export { setHosts } from "./hosts";

/** Version of the interface of this module. The host refuses a module of another version. */
export const LISTS_VERSION: i32 = 1;
