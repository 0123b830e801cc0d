/** Returns the anchor of a heading in Markdown, as GitHub and the site make it. */
export function headingAnchor(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
