import { openSource } from "../../io/source.ts";

const CHUNK = 1 << 18;

/** A line of a file, without its LF; lines count from 1 on. */
export interface FileLine {
  readonly file: string;
  readonly number: number;
  readonly line: string;
}

/** Lines of files of the program's own. */
export async function* readLines(files: readonly string[]): AsyncGenerator<FileLine> {
  for (const file of files) {
    const source = await openSource(file);
    const decoder = new TextDecoder("utf-8", { fatal: false });
    const chunk = Buffer.alloc(CHUNK);
    /** The pieces of the begun line. */
    let begun: string[] = [];
    let number = 0;
    try {
      for (;;) {
        const length = await source.read(chunk);
        const isLast = length === 0;
        const lines = decoder.decode(chunk.subarray(0, length), { stream: !isLast }).split("\n");
        begun.push(lines[0] as string);
        if (lines.length > 1 || isLast) {
          lines[0] = begun.join("");
          begun = isLast ? [] : [lines.pop() as string];
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
