// How large the package may be, for the test of the package and for the release.

/**
 * The most bytes that the package may unpack to. 1,000,000 would need one of these parts to go: the kernel as a file for
 * Node and other runtimes (153 KB), and in a module for platforms without files (59 KB); the thread of a pool as one file,
 * which bundles copy beside them (132 KB); the command line and its formats (446 KB, of which 20 find records by WebAssembly, 12 say why two URLs are not one, 16 leave out URLs by lists, 30 dedupe keys that do not fit in memory); indexes of web archives (16 KB, of which 4 sort by WebAssembly); what sets check of files that strangers made (7 KB); runs that are all or nothing (9 KB); the learner (140 KB, and 4 for lines of URLs to skip); the language of rules with what lists need (14 KB more), and the readers and writers of lists (38 KB); types with
 * their comments (110 KB); the specification, the manual page and the page on the kernel (46 KB); the licences of what is inside (3 KB).
 *
 * A program that imports urlmill loads at most 210 KB of it and the kernel; bundles for browsers have limits of their own.
 * 677 KB are downloaded. `npm pack --dry-run` lists each file.
 */
export const LARGEST_PACKAGE = 1_852_000;
