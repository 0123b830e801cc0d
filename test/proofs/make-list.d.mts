/** Writes a list of so many lines; returns its number of bytes. */
export function makeList(lines: number, file: string, corpus: string): Promise<number>;
