/**
 * Distinct URLs of one length that are equal under `hash = 31 * hash + byte`, the hash of Java's strings
 * and of many tables: `Aa` and `BB` are, so all strings of as many of them are. At most 2^`pairs`.
 */
export function equalHashUrls(count: number, pairs = 20): string[] {
  return Array.from({ length: count }, (_, number) => {
    let path = "";
    for (let bit = 0; bit < pairs; bit++) path += (number >> bit) & 1 ? "BB" : "Aa";
    return `http://a.example/${path}`;
  });
}
