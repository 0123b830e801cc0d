/** Installs a major version of Node from the registry into a folder; returns its program. Linux on x64 only. */
export function installNode(version: string, folder: string): string;
