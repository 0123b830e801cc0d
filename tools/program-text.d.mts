/** Returns options as the members of an object, without the braces around. */
export function programOf(options: Readonly<Record<string, unknown>>): string;
/** Returns a value of an option. */
export function valueText(value: unknown): string;
