import { IoError, shownInput } from "../../io/io-error.ts";
import { openSource } from "../../io/open-source.ts";
import { LineSplitter } from "../../learn/records/line-splitter.ts";
import { chunksFrom } from "./read-records.ts";

/** Holds a line of a file, without its end; lines count from 1 on. */
export interface FileLine {
  readonly file: string;
  readonly number: number;
  readonly line: string;
}

/**
 * Reads the lines of the program's own files. Throws an IoError for a line of more than `longest` bytes, or that is not
 * UTF-8.
 */
export async function* readLines(
  files: readonly string[],
  longest?: number,
): AsyncGenerator<FileLine> {
  for (const file of files) {
    const source = await openSource(file);
    const lines: FileLine[] = [];
    let number = 0;
    const splitter = new LineSplitter(
      {
        line: (line) => lines.push({ file, number: ++number, line }),
        badLine: (reason) => {
          const where = `${shownInput(file)}, line ${number + 1}`;
          throw new IoError(`${where}: it is ${reason}; check the file`);
        },
      },
      longest,
    );
    try {
      for await (const bytes of chunksFrom(source)) {
        splitter.push(bytes, false);
        yield* lines.splice(0);
      }
      splitter.push(new Uint8Array(0), true);
      yield* lines;
    } finally {
      await source.close();
    }
  }
}
