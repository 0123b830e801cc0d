/** Returns a document with new text in one of its parts, which lies between two comments. */
export function replacePart(document, name, text) {
  const begin = `<!-- ${name}: npm run docs -->\n`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest, more] = document.split(begin);
  if (rest === undefined || more !== undefined || !rest.includes(end))
    throw new Error(`the document has no part "${name}", or two`);
  return `${before}${begin}\n${text}\n${end}${rest.slice(rest.indexOf(end) + end.length)}`;
}
