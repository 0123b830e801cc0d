/** Matches what begins a string, and the constants that Python writes for numbers that JSON has not. */
const QUOTE_OR_CONSTANT = /"|\bNaN\b|-?\bInfinity\b/g;

/**
 * Parses a text as a JSON object and returns it. `NaN`, `Infinity` and `-Infinity` are null. Returns `"not JSON"` if the
 * text is not JSON, and `"not an object"` if it is another value.
 */
export function parseObject(text: string): Record<string, unknown> | "not JSON" | "not an object" {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return "not JSON"; // the callers report it, with the line's number
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : "not an object";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!text.includes("NaN") && !text.includes("Infinity")) throw error;
    return JSON.parse(withoutConstants(text));
  }
}

/** Writes null in the place of each constant that is not in a string. */
function withoutConstants(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  QUOTE_OR_CONSTANT.lastIndex = 0;
  for (;;) {
    const found = QUOTE_OR_CONSTANT.exec(text);
    if (found === null) break;
    if (found[0] === '"') {
      QUOTE_OR_CONSTANT.lastIndex = afterString(text, found.index);
      continue;
    }
    pieces.push(text.slice(from, found.index));
    from = QUOTE_OR_CONSTANT.lastIndex;
  }
  return [...pieces, text.slice(from)].join("null");
}

/** Returns the position after the string that begins at `at`, or the end of the text. */
function afterString(text: string, at: number): number {
  for (let p = at + 1; p < text.length; p++) {
    if (text[p] === '"') return p + 1;
    if (text[p] === "\\") p++;
  }
  return text.length;
}
