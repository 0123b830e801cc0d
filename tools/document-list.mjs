// Writes the list of documents in docs/README.md, from that of the site.
import { DOCUMENTS } from "../site/documents.mjs";
import { replacePart } from "./replace-part.mjs";

/** Returns docs/README.md with all documents by groups. */
export function withDocuments(document) {
  const groups = DOCUMENTS.map(({ title, pages }) => {
    const items = pages.map(([file, text, use]) => `- [${text}](${file}): ${use}.\n`);
    return `## ${title}\n\n${items.join("")}`;
  });
  return replacePart(document, "documents", groups.join("\n"));
}
