import { readFileSync } from "node:fs";
import { withoutMark } from "../base/byte-order-mark.ts";
import { FOREIGN_LENGTH, ForeignFormat } from "../io/compression/foreign-format.ts";
import { describeSystemError } from "../io/io-error.ts";
import { CommandFailure } from "../runs/base/failure.ts";

/** Returns the text of a file in UTF-8, without a byte order mark. */
export function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    ForeignFormat.check(bytes.subarray(0, FOREIGN_LENGTH), null);
    return withoutMark(bytes.toString());
  } catch (error) {
    if (error instanceof ForeignFormat) {
      throw new CommandFailure(
        `cannot read ${file}: ${error.message}; it must be text in UTF-8`,
        1,
      );
    }
    throw new CommandFailure(`cannot read ${file}: ${describeSystemError(error)}`, 1);
  }
}

/** Returns the value of a JSON text. `where`: names the text in the message of a failure. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${where} is not JSON: ${(error as Error).message}`, 2);
  }
}
