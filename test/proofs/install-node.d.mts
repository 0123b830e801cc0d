/** Installs packages from the registry into a folder, also those for another processor. */
export function installPackages(packages: readonly string[], folder: string): void;

/** Installs a major version of Node from the registry into a folder; returns its program. Linux only. */
export function installNode(version: string, folder: string, processor?: "x64" | "arm64"): string;
