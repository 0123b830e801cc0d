import { readCorpus } from "./corpus.ts";

const corpus = readCorpus().urls;

/** Returns the corpus as lines, repeated with different URLs each time: `count` of them, from the line `first` on. */
export function distinctLines(count: number, first = 0): Buffer {
  const pieces: Buffer[] = [];
  for (let row = 0; row < count; row += corpus.length) {
    const urls = corpus.slice(0, count - row);
    const suffix = first + row === 0 ? "" : `v=${first + row}`;
    pieces.push(
      Buffer.from(
        urls
          .map((url) =>
            suffix === "" ? `${url}\n` : `${url}${url.includes("?") ? "&" : "?"}${suffix}\n`,
          )
          .join(""),
      ),
    );
  }
  return Buffer.concat(pieces);
}
