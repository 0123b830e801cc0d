/** Returns each chart, as SVG, by its file. */
export function charts(): Record<string, string>;
/** Saves what a bench measured, and draws the charts anew. */
export function saveResults(name: string, results: object): void;
