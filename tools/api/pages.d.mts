/** Returns the pages of docs/api by their names. */
export function apiPages(): Record<string, string>;
