import { shownInput } from "../../io/io-error.ts";
import { openSource } from "../../io/open-source.ts";
import type { Source } from "../../io/source.ts";

/** Names an input of lines, and opens it. */
export interface LineInput {
  /** The name as messages show it. */
  readonly shown: string;
  open(): Promise<Source>;
}

/** Returns files as inputs; `-` is standard input. */
export function fileInputs(files: readonly string[]): LineInput[] {
  return files.map((file) => ({ shown: shownInput(file), open: () => openSource(file) }));
}
