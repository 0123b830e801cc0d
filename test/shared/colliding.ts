/**
 * Returns distinct URLs of one length with equal hashes under `hash = 31 * hash + byte`, the hash
 * of Java's strings and of many tables. `Aa` and `BB` have equal hashes, and so have all strings of
 * the same number of them. There are at most 2^`pairs`.
 */
export function equalHashUrls(count: number, pairs = 20): string[] {
  return Array.from({ length: count }, (_, number) => {
    let path = "";
    for (let bit = 0; bit < pairs; bit++) path += (number >> bit) & 1 ? "BB" : "Aa";
    return `http://a.example/${path}`;
  });
}
