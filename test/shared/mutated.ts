import type { Random } from "./random.ts";

/** Bytes and texts that mean something in a URL, and some that no URL has. */
const PIECES = [
  ..."/ // . .. ? # & ; = % @ : :80 [ ] ( ) ~ - _ + ! ' * , | \\ ^ ` { }".split(" "),
  ..."%2F %2f %7e %41 %zz %00 %C3%A9 www. index.html jsessionid= utm_source=x PHPSESSID= xn-- HTTP:// A Z 0 9".split(
    " ",
  ),
  " ",
  "\t",
  "\r",
  "\0",
  "\x7f",
  "\x80",
  "\xc3\xa9",
  "\xff",
  "\xef\xbc\x8e",
  "a".repeat(40),
];

/** Returns a URL, as a byte string without LF, with one to four changes: bytes put in, left out, replaced, doubled or moved. */
export function mutatedUrl(url: string, random: Random): string {
  let text = url;
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(text.length + 1);
    const end = Math.min(text.length, at + 1 + random.below(random.chance(4) ? 20 : 2));
    const [before, piece, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
    const put = random.chance(3) ? random.pick(PIECES) : String.fromCharCode(random.below(256));
    text = random.pick([
      before + put + piece + after,
      before + after,
      before + put + after,
      before + piece + piece + after,
      piece + before + after,
      before + piece.toUpperCase() + after,
    ]);
  }
  return text.replaceAll("\n", "");
}
