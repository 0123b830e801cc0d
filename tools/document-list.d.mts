/** Returns docs/README.md with all documents by groups. */
export function withDocuments(document: string): string;
