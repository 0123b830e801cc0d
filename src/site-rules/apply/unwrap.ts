import { testOfMany } from "./params.ts";

/**
 * Returns the URL in the value of the first parameter with one of these names, decoded once. Returns null if there is no such
 * parameter, or its value does not begin as an http or https URL. Parameters are between `&` alone: a `;` is part of a value.
 */
export function wrappedUrl(query: string, names: readonly string[]): string | null {
  const isNamed = testOfMany(names);
  for (const param of query.split("&")) {
    const end = param.search(/[=;]|$/);
    if (!isNamed(param.slice(0, end))) continue;
    const url = param[end] === "=" ? decodedOnce(param.slice(end + 1)) : "";
    return /^https?:\/\//i.test(url) ? url : null;
  }
  return null;
}

/** Returns a text with the bytes of its triplets. A `+` stays. */
function decodedOnce(text: string): string {
  return text.replaceAll(/%([\dA-F]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
