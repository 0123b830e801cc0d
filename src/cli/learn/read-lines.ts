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
    let rest = "";
    let number = 0;
    try {
      for (;;) {
        const length = await source.read(chunk);
        const text = rest + decoder.decode(chunk.subarray(0, length), { stream: length > 0 });
        const lines = text.split("\n");
        rest = length > 0 ? (lines.pop() as string) : "";
        for (const line of lines) {
          number++;
          if (length > 0 || line !== "") yield { file, number, line };
        }
        if (length === 0) break;
      }
    } finally {
      await source.close();
    }
  }
}
