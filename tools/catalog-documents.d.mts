/** Returns docs/options.md with a row for each example of a step, and a section for each option. */
export function withOptions(document: string): string;
