// The kernel's interface, written down in assembly/README.md.

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
  reserveSet,
  rowCapacity,
  statusStart,
  tableBytes,
  tableStart,
} from "./memory";
export { setReasons } from "./reasons";
export { errorOffset } from "./row";
export { chooseRows } from "./set/copy-rows";
export { fingerprintRows } from "./set/fingerprints";
export {
  hasFingerprints,
  insertFingerprints,
  reserveFingerprints,
  seenCount,
  setFingerprintBits,
} from "./set/seen";
export { loadBase } from "./url/base";
