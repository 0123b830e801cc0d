/**
 * Parses a text as a JSON object and returns it. Returns `"not JSON"` if the text is not JSON, and `"not an object"`
 * if it is another value.
 */
export function parseObject(text: string): Record<string, unknown> | "not JSON" | "not an object" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "not JSON"; // the callers report it, with the line's number
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : "not an object";
}
