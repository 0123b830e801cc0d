/** The longest line of help, for terminals. */
const WIDTH = 79;

/**
 * Cuts a text at spaces into lines of at most `width` characters; all but the first begin with `indent` spaces. A word that
 * is longer stays whole.
 */
export function wrap(text: string, indent: number, width = WIDTH): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(" ", width);
    const cut = space > indent ? space : rest.indexOf(" ", width);
    if (cut < 0) break;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = " ".repeat(indent) + rest.slice(cut + 1);
  }
  return [...lines, rest];
}
