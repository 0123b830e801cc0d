/**
 * Returns the JSON object that a text is, or what it is instead: `"no JSON"`, or `"no object"` where it is
 * another value.
 */
export function parseObject(text: string): Record<string, unknown> | "no JSON" | "no object" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "no JSON"; // the callers report it, with the line's number
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : "no object";
}
