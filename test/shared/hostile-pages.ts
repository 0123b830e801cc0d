import { expect } from "vitest";
import { readJsonFixture } from "./fixtures.ts";

/** A text of parts. Each second part is repeated, with a number for `{i}`. */
export type Shape = readonly string[];

/** Texts that a reader which looks back or ahead takes long for; `python/tests/test_hostile_pages.py` has the same. */
export const SHAPES =
  readJsonFixture<Readonly<Record<"pages" | "links", readonly Shape[]>>>("hostile-pages.json");

/** Returns a text of a shape with about so many characters. */
export function textOf(shape: Shape, length: number): string {
  const most = length / Math.floor(shape.length / 2);
  return shape
    .map((part, at) => {
      if (at % 2 === 0) return part;
      const count = Math.floor(most / part.length);
      return Array.from({ length: count }, (_, i) => part.replaceAll("{i}", String(i))).join("");
    })
    .join("");
}

const TIMES = 8;
/** A linear reader takes 8 times as long for 8 times the text, and a quadratic one 64 times. */
const MOST = 3 * TIMES;
/** The clock of the processor is coarse. */
const LEAST_MS = 2;

/** Expects that a reader takes processor time by the length of its text. Tries more than once, as others are at work. */
export async function expectLinear(
  shape: Shape,
  length: number,
  read: (text: string) => unknown,
): Promise<void> {
  const [short, long] = [textOf(shape, length / TIMES), textOf(shape, length)];
  await read(short); // compiles
  let ratio = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && ratio > MOST; tries++) {
    const least = Math.max(LEAST_MS, await timeOf(read, short), await timeOf(read, short));
    ratio = Math.min(ratio, (await timeOf(read, long)) / least);
  }
  expect(ratio).toBeLessThanOrEqual(MOST);
}

async function timeOf(read: (text: string) => unknown, text: string): Promise<number> {
  const begun = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
