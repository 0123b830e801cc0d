// The kernel's interface, written down in assembly/README.md.

export { loadBase } from "./base";
export {
  changedRows,
  consumed,
  failedRows,
  normalizeColumn,
  normalizeLines,
  written,
} from "./batch";
export { loadPlan } from "./load";
export {
  ABI_VERSION,
  baseStart,
  inOffsets,
  inputStart,
  outOffsets,
  outputStart,
  planStart,
  reserve,
  rowCapacity,
  statusStart,
} from "./memory";
export { errorOffset } from "./row";
