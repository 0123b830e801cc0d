import { withoutMark } from "../base/byte-order-mark.ts";
import { UrlmillError } from "../base/errors.ts";

/** Holds what a line of a file says, and the number of the line from 1 on. */
export interface DataLine<T> {
  readonly number: number;
  readonly value: T;
}

/**
 * Reads the lines of a text that begins with `header`, and skips empty lines and those that begin with `#`. A byte
 * order mark may precede the first line. `read` reads one line and gets the number of the file, if files
 * were concatenated; a `UrlmillError` that it throws gets the
 * number of the line. `name` is how messages name the text. Throws `BAD_RULES` for another header, also
 * between the lines.
 */
export function* dataLines<T>(
  text: string,
  header: string,
  name: string,
  read: (line: string, file: number) => T,
): Generator<DataLine<T>> {
  const lines = withoutMark(text).split(/\r?\n/);
  const format = header.slice(0, header.indexOf(" "));
  const isHeader = (line: string): boolean =>
    line.startsWith(format) && /^(\s|$)/.test(line.slice(format.length));
  if (!isHeader(lines[0] as string)) {
    if (lines.length === 1 && /^[^\t ]+\.\w+$/.test(text)) {
      throw new UrlmillError(
        "BAD_RULES",
        `${name}: "${text}" is the name of a file; give its text`,
      );
    }
    throw wrongLine(name, 1, `a file of ${name} begins with the line "${header}"`);
  }
  let file = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (number > 1 && line !== withoutMark(line)) {
      const reason = "it begins with a byte order mark, which only a file can; remove the mark";
      throw wrongLine(name, number, reason);
    }
    if (isHeader(line)) {
      if (line !== header) {
        throw wrongLine(name, number, `"${line}" is another version than "${header}"`);
      }
      file++;
    }
    if (line === "" || line.startsWith("#")) continue;
    let value: T;
    try {
      value = read(line, file);
    } catch (error) {
      if (error instanceof UrlmillError) throw wrongLine(name, number, error.message);
      throw error;
    }
    yield { number, value };
  }
}

/** Makes the `BAD_RULES` error for a line of the text that messages call `name`. */
export function wrongLine(name: string, line: number, reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", `line ${line} of the ${name}: ${reason}`);
}

/** Makes a `BAD_RULES` error that says why a rule is refused, without its place in the file. */
export function badRule(reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", reason);
}
