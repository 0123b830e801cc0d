/** Returns each chart, as SVG, by its file. */
export function charts(): Record<string, string>;
/** Saves the measurements of a bench, and draws the charts again. */
export function saveResults(name: string, results: object): void;
