// The kernel's interface, written down in assembly/README.md.

export { normalizeColumn, normalizeLines } from "./batch";
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
export { changedRows, consumed, failedRows, written } from "./results";
export { errorOffset } from "./row";
export { chooseRows } from "./set/copy-rows";
export { fingerprintRows } from "./set/fingerprints";
export { joinAnswers, partitionEnds, splitByShard, splitFingerprints } from "./set/partitions";
export {
  hasFingerprints,
  insertFingerprints,
  reserveFingerprints,
  seenCount,
  setFingerprintBits,
} from "./set/seen";
export { writeSurts } from "./set/surts";
export { loadBase } from "./url/base";
