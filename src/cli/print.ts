import { readFileSync } from "node:fs";

/** Writes a text to standard output. */
export async function print(text: string): Promise<0> {
  const { writeText } = await import("../io/files/write-text.ts");
  await writeText("-", [text]);
  return 0;
}

export function manifest(): { version: string; bugs: string } {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
}
