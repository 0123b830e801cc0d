/** Returns the badges by the names of their files in docs/badges. */
export function badges(): Record<string, string>;
