import { DEADLINE_MS } from "../../src/runs/base/interrupt.ts";

/**
 * Gives an interrupted run as long as it needs: on a busy machine it may not be done at its deadline. It is an option
 * of `node`.
 */
export const PATIENTLY = `--import=data:text/javascript,${encodeURIComponent(`
  const set = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => set(run, ms === ${DEADLINE_MS} ? 3_600_000 : ms, ...rest);
`)}`;
