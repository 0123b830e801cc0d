import { OPTIONS, type Options, textOfValue, valueOfText } from "./option-values.ts";

/** Returns the fragment of a link that holds options. */
export function fragmentOf(options: Options): string {
  const texts = Object.entries(options).map(([name, value]) => [
    name,
    textOfValue(value, OPTIONS[name] ?? {}),
  ]);
  return `#${new URLSearchParams(texts)}`;
}

/** Reads the options of a link. Leaves out each part that cannot be read, and reports it. */
export function optionsOfFragment(fragment: string): { options: Options; problems: string[] } {
  const options: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, text] of new URLSearchParams(fragment.slice(1))) {
    try {
      options[name] = valueOfText(text, name);
    } catch (error) {
      problems.push(`${(error as Error).message} The link's value is left out.`);
    }
  }
  return { options, problems };
}
