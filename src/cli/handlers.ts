// What the commands run. It is loaded as a whole when a command needs it: many small files take longer to load.

export { Heads } from "../io/heads.ts";
export { run } from "../runs/run.ts";
export { runExplain } from "./explain.ts";
export { withFileNames } from "./normalizer-options.ts";
export { readOptions } from "./options.ts";
export { runPlan } from "./plan.ts";
