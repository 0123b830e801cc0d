import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";

/** Says how many lines were written, and how many of them are damaged. */
export function sayLines(
  what: string,
  { lines, damaged }: { readonly lines: number; readonly damaged: number },
): void {
  say(`${counted(lines, "line")} ${what}${damaged === 0 ? "" : `, ${damaged} of them damaged`}`);
}
