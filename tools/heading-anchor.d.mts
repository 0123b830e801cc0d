/** Returns the anchor of a heading in Markdown, as GitHub and the site make it. */
export function headingAnchor(title: string): string;
