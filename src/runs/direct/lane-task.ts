import { IoError } from "../../io/io-error.ts";
import { Lane, type LaneWork } from "./lane.ts";
import type { LaneTotals } from "./lane-counts.ts";
import { Ledger } from "./ledger.ts";

/** Asks a worker to be one of the threads of a run. */
export interface LaneTask {
  readonly work: LaneWork;
  /** The number of the thread, from 0 on. */
  readonly lane: number;
}

/** Holds the result of a lane. */
export interface LaneResult {
  /** Its counts, or null if nothing is counted. */
  readonly totals: LaneTotals | null;
  /** The message of the IoError that ended it, or null. The class of an error is lost between threads. */
  readonly failure: string | null;
}

/** Does the work of a lane on a worker. */
export function runLane({ work, lane: number }: LaneTask): LaneResult {
  const lane = new Lane(work, number);
  try {
    lane.run();
    return { totals: lane.totals, failure: null };
  } catch (error) {
    new Ledger(work.ledger).stop();
    if (error instanceof IoError) return { totals: null, failure: error.message };
    throw error;
  } finally {
    lane.close();
  }
}
