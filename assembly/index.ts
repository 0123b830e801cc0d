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
  marks,
  outOffsets,
  outputStart,
  planStart,
  reasonsStart,
  reserve,
  rowCapacity,
  statusStart,
  tableBytes,
  tableStart,
} from "./memory";
export { setReasons } from "./reasons";
export { errorOffset } from "./row";
export {
  hasFingerprints,
  insertFingerprints,
  reserveFingerprints,
  seenCount,
  setFingerprintBits,
} from "./seen";
