/*
 * The platform that runs this. The build puts `#platform` in the place of this file, which package.json resolves to one
 * of the files beside it; from the sources it is the one that works everywhere.
 */
export * from "./embedded.ts";
