/** Holds HTML that is written unchanged. `html` escapes everything else. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a piece of a page. Text that is put into it is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((text, index) => text + (index < parts.length ? show(parts[index] as Part) : ""))
      .join(""),
  );
}

function show(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string);
}
