/*
 * The platform that runs this code. The build replaces this file by `#platform`, which package.json resolves
 * to one of the files beside it. The sources use the platform that works everywhere.
 */
export * from "./embedded.ts";
