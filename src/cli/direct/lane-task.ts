import { IoError } from "../../io/io-error.ts";
import { Lane, type LaneWork } from "./lane.ts";
import { Ledger } from "./ledger.ts";

/** Asks a worker to be one of the threads of a run. */
export interface LaneTask {
  readonly work: LaneWork;
  /** Which of the threads it is, from 0 on. */
  readonly lane: number;
}

/**
 * Does the work of a lane. Returns null, or the sentence of the IoError that ended it: an error of that class would
 * not cross threads as one.
 */
export function runLane({ work, lane: number }: LaneTask): string | null {
  const lane = new Lane(work, number);
  try {
    lane.run();
    return null;
  } catch (error) {
    new Ledger(work.ledger).stop();
    if (error instanceof IoError) return error.message;
    throw error;
  } finally {
    lane.close();
  }
}
