const CONTROLS: Record<string, string> = {
  b: "%08",
  t: "%09",
  n: "%0A",
  v: "%0B",
  r: "%0D",
};
const HEX = /^[0-9A-Fa-f]{2}$/;

/**
 * Reads a request target as Apache (`ap_escape_logitem`) and nginx (`escape=default`) write it:
 * `\"`, `\\`, `\n` and the like, `\xHH` for a byte. A byte that is not printable ASCII becomes a
 * percent-encoded triplet, because it may not be UTF-8. A backslash before anything else stays.
 */
export function unescapeLogItem(text: string): string {
  let at = text.indexOf("\\");
  if (at < 0) return text;
  let result = "";
  let from = 0;
  for (; at >= 0; at = text.indexOf("\\", from)) {
    const next = text[at + 1] ?? "";
    const hex = text.slice(at + 2, at + 4);
    result += text.slice(from, at);
    if (next === "x" && HEX.test(hex)) {
      result += byteOf(hex);
      from = at + 4;
    } else {
      result += next === '"' || next === "\\" ? next : (CONTROLS[next] ?? `\\${next}`);
      from = at + 2;
    }
  }
  return result + text.slice(from);
}

function byteOf(hex: string): string {
  const byte = Number.parseInt(hex, 16);
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `%${hex.toUpperCase()}`;
}
