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
export { chooseRows } from "./choose";
export { fingerprintRows } from "./fingerprint";
export { loadPlan } from "./load";
export {
  ABI_VERSION,
  baseStart,
  fingerprintKey,
  fingerprints,
  inOffsets,
  inputStart,
  newRows,
  outOffsets,
  outputStart,
  planStart,
  reserve,
  rowCapacity,
  statusStart,
} from "./memory";
export { errorOffset } from "./row";
export { insertFingerprints, reserveFingerprints, seenCount } from "./seen";
