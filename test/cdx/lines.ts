import { spawnSync } from "node:child_process";
import { Random } from "../shared/random.ts";

export const HEADER = " CDX N b a m s k r M S V g\n";

/** A line of CDX with 11 fields. */
export function capture(key: string, time = 2026): string {
  return `${key} ${time} http://${key}/ text/html 200 ABC - - 12 34 a.warc.gz\n`;
}

/** Captures of made-up pages in no order, most of them with a long beginning that others have, too. */
export function captures(count: number, seed = 1): string {
  const random = new Random(seed);
  const line = (): string => {
    const site = `com,example${random.below(40)})`;
    const page = random.chance(3)
      ? `/${random.below(9)}`
      : `/a/long/path/of/pages/${random.below(count)}`;
    return capture(site + page, 2000 + random.below(30));
  };
  return Array.from({ length: count }, line).join("");
}

/** Lines of any bytes: short ones, equal ones, zeros, beginnings of each other, all ends of words of 8 bytes. */
export function hostileLines(count: number, seed = 1): string {
  const random = new Random(seed);
  const bytes = ["\0", "\x01", "\t", "\v", " ", "a", "b", "\x7f", "\x80", "\xff", "\r"];
  const stems = ["", "aaaaaaaa", "aaaaaaa\0", "a".repeat(40), "\xff".repeat(17)];
  const line = (): string => {
    let text = random.pick(stems);
    for (let left = random.below(random.chance(4) ? 40 : 5); left > 0; left--)
      text += random.pick(bytes);
    return `${text}\n`;
  };
  return Array.from({ length: count }, line).join("");
}

/** What `LC_ALL=C sort` makes of a text. */
export function sorted(text: string): string {
  const { stdout } = spawnSync("sort", [], {
    input: Buffer.from(text, "latin1"),
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 1 << 30,
  });
  return stdout.toString("latin1");
}
