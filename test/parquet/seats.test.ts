import { expect, test } from "vitest";
import { type Seat, Seats } from "../../src/runs/parquet/threads/seats.ts";

test("seats are given in the order in which they are asked for, the one here first", async () => {
  const seats = new Seats(2);
  const given: string[] = [];
  const takeAs = (name: string) =>
    seats.take().then((seat: Seat) => {
      given.push(`${name} ${seat}`);
      return seat;
    });
  const first = takeAs("a");
  takeAs("b");
  takeAs("c");
  takeAs("d");
  takeAs("e");
  await first;
  await new Promise((next) => setImmediate(next));
  expect(given).toEqual(["a here", "b worker", "c worker"]);
  seats.leave("worker");
  seats.leave("here");
  await new Promise((next) => setImmediate(next));
  expect(given.slice(3)).toEqual(["d worker", "e here"]);
});
