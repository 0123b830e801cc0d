// At full length only: it kills processes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runExample } from "../shared/example.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = tempFolder();

/** Spells a URL in one of several ways; some lines are not URLs. */
function lineOf(random: Random, numbers: number): string {
  const number = random.below(numbers);
  return random.pick([
    `http://a.example/${number}?b&c`,
    `HTTP://a.example:80/${number}?c&b`,
    `http://a.example/${number}?b&c#d`,
    "nothing",
  ]);
}

/** Returns the queue that the lines must give. */
function expectedQueue(lines: readonly string[]): string {
  const seen = new Set<string>();
  const queue: string[] = [];
  for (const [row, line] of lines.entries()) {
    const [, number] = /\/(\d+)\?/.exec(line) ?? [];
    if (number === undefined || seen.has(number)) continue;
    seen.add(number);
    queue.push(`${row}\t${line}\n`);
  }
  return queue.join("");
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

test("queue.mjs queues each URL once and in order, however often it is killed", async () => {
  const random = new Random(21);
  const lines = Array.from({ length: atLength(24_000, 400_000) }, () => lineOf(random, 30_000));
  const [list, set, queue] = ["links.txt", "links.disk", "queue.tsv"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(list, lines.map((line) => `${line}\n`).join(""));
  const sizes: number[] = [];
  for (let kill = 0; kill < atLength(2, 12, 40); kill++) {
    const child = spawn(process.execPath, ["examples/queue.mjs", list, set, queue], { cwd: ROOT });
    const ended = once(child, "close");
    const before = await sizeOf(queue);
    // It is killed while it queues, or at another moment.
    if (random.chance(3)) await setTimeout(random.below(1500));
    else {
      while ((await sizeOf(queue)) === before && child.exitCode === null) await setTimeout(5);
      await setTimeout(random.below(20));
    }
    child.kill("SIGKILL");
    await ended;
    sizes.push(await sizeOf(queue));
  }
  await runExample("queue.mjs", list, set, queue);
  expect(await readFile(queue, "utf8")).toBe(expectedQueue(lines));
  expect(sizes.some((size) => size > 0)).toBe(true);
  // Run again, it finds nothing to do.
  expect(await runExample("queue.mjs", list, set, queue)).toBe(`${lines.length} lines, 0 new URLs`);
}, 240_000);
