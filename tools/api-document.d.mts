/** Returns docs/api.md. */
export function apiDocument(): string;
