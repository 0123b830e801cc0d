import { IoError } from "../../io/io-error.ts";
import { shownInput } from "../../io/names.ts";
import { openSource } from "../../io/open-source.ts";

const CHUNK = 1 << 18;
/** The longest line in UTF-16 units. A string cannot be twice as long. */
const LONGEST_LINE = 1 << 28;

/** Holds a line of a file, without its LF; lines count from 1 on. */
export interface FileLine {
  readonly file: string;
  readonly number: number;
  readonly line: string;
}

/**
 * Reads the lines of the program's own files. Throws an IoError if a line has more than `longest` UTF-16 units.
 */
export async function* readLines(
  files: readonly string[],
  longest: number = LONGEST_LINE,
): AsyncGenerator<FileLine> {
  for (const file of files) {
    const source = await openSource(file);
    const decoder = new TextDecoder("utf-8", { fatal: false });
    const chunk = Buffer.alloc(CHUNK);
    /** The pieces of the line in progress. */
    let begun: string[] = [];
    let begunLength = 0;
    let number = 0;
    try {
      for (;;) {
        const length = await source.read(chunk);
        const isLast = length === 0;
        const lines = decoder.decode(chunk.subarray(0, length), { stream: !isLast }).split("\n");
        const first = lines[0] as string;
        begun.push(first);
        begunLength += first.length;
        if (begunLength > longest) {
          const where = `${shownInput(file)}, line ${number + 1}`;
          throw new IoError(`${where}: it is longer than ${longest} characters; check the file`);
        }
        if (lines.length > 1 || isLast) {
          lines[0] = begun.join("");
          begun = isLast ? [] : [lines.pop() as string];
          begunLength = begun[0]?.length ?? 0;
          for (const line of lines) {
            number++;
            if (!isLast || line !== "") yield { file, number, line };
          }
        }
        if (isLast) break;
      }
    } finally {
      await source.close();
    }
  }
}
