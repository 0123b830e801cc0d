const EXCERPT_LENGTH = 40;
/** The most names that a reason lists, and the longest of them in characters. */
const LISTED_NAMES = 50;
const LISTED_LENGTH = 1000;

/** Returns the beginning of a text, quoted, for a reason. */
export function excerpt(text: string): string {
  return JSON.stringify(
    text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text,
  );
}

/** Returns names for a reason. Of many names, it lists the first. */
export function listNames(names: readonly string[]): string {
  const list = names.slice(0, LISTED_NAMES).join(", ").slice(0, LISTED_LENGTH);
  const isWhole = names.length <= LISTED_NAMES && list.length < LISTED_LENGTH;
  return isWhole ? list : `${list}...`;
}
