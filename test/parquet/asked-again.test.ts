import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { RowDecider } from "../../src/runs/keys/row-decider.ts";
import type { GroupQuestion } from "../../src/runs/parquet/threads/group-task.ts";
import {
  GroupThreads,
  type GroupThreadsOptions,
} from "../../src/runs/parquet/threads/group-threads.ts";
import { SharedAnswer } from "../../src/runs/parquet/threads/shared-answer.ts";
import type { Asking } from "../../src/threads/workers.ts";

/** Hears what workers ask. */
const asking = vi.hoisted(() => ({ hear: (_: GroupQuestion): void => {} }));
vi.mock("../../src/threads/workers.ts", () => ({
  Workers: class {
    constructor(_: unknown, __: unknown, { hear }: Asking<GroupQuestion>) {
      asking.hear = hear;
    }
  },
}));
vi.mock("../../src/runs/parquet/threads/group-runner.ts", () => ({ GroupRunner: class {} }));

/** What the words of an answer say (src/runs/parquet/threads/shared-answer.ts). */
const [GIVEN, REFUSED] = [1, 2];

/** Asks the set about a row group of one row, as a worker does. Returns the word that says whether the answer is there. */
function ask(place: number): Int32Array {
  const answer = SharedAnswer.memoryFor(1);
  asking.hear({ place, lookups: { fingerprints: new Uint8Array(16), failed: null }, answer });
  return new Int32Array(answer, 0, 1);
}

/** Makes a set that answers late. */
function threadsAsking(insert: (status: Uint8Array) => Uint8Array): void {
  const keys = {
    insert: async (_: Uint8Array, status: Uint8Array) => {
      await setTimeout(20);
      return { rows: insert(status), fresh: new Uint8Array(0) };
    },
  } as unknown as RowDecider;
  const workers = { threads: 1 } as GroupThreadsOptions["workers"];
  const here = {} as GroupThreadsOptions["here"];
  new GroupThreads({ workers, here, keys, onFresh: () => {} });
}

test.each([
  ["an answer", (status: Uint8Array) => status.fill(1), GIVEN],
  [
    "word that it is full",
    () => {
      throw new Error("full");
    },
    REFUSED,
  ],
])(
  "a set that is asked for a row group again while it answers gives %s",
  async (_, insert, state) => {
    threadsAsking(insert);
    const answers = [ask(0)];
    await setTimeout(5);
    answers.push(ask(0)); // the worker died, and another has its task
    await setTimeout(100);
    answers.push(ask(0));
    await setTimeout(5);
    expect(answers.map((words) => words[0])).toEqual([state, state, state]);
  },
);
