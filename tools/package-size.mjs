// How large the package may be, for the test of the package and for the release.

/**
 * The most bytes that the package may unpack to. 1,000,000 would need one of these parts to go: the kernel as a file for
 * Node and other runtimes (153 KB), and in a module for platforms without files (59 KB); the thread of a pool as one file,
export const LARGEST_PACKAGE = 1_700_000;
 * their comments (110 KB); the specification, the manual page and the page on the kernel (46 KB); the licences of what is inside (3 KB).
 *
 * A program that imports urlmill loads at most 210 KB of it and the kernel; bundles for browsers have limits of their own.
 * 450 KB are downloaded. `npm pack --dry-run` lists each file.
 */
export const LARGEST_PACKAGE = 1_700_000;
