// How large the package may be, for the test of the package and for the release.

/**
 * The most bytes that the package may unpack to. More than half of it is the command line and the learner, which programs
 * that import urlmill do not load; bundles for browsers have limits of their own. 400 KB are downloaded.
 */
export const LARGEST_PACKAGE = 1_200_000;
