// Writes options as a program has them: for the documents and the playground.

/** Returns options as the members of an object, without the braces around. */
export function programOf(options) {
  return Object.entries(options)
    .map(([name, value]) => `${keyText(name)}: ${valueText(value)}`)
    .join(", ");
}

/** Returns a value of an option. */
export function valueText(value) {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  return typeof value === "object" ? `{ ${programOf(value)} }` : JSON.stringify(value);
}

const keyText = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
