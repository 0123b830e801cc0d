// The interface of the scanner: src/formats/scan/scanner.ts uses it.

export { csvEnd, csvState, lineEnds, scanCsv, setColumns } from "./csv";
export { gather } from "./gather";
export { interleave, nextEscaped, setAddition } from "./interleave";
export { scanJson, setPath } from "./json";
export {
  affixes,
  columnStart,
  froms,
  inputStart,
  interleavedStart,
  interleavedStarts,
  keyOffsets,
  keysStart,
  kinds,
  namesStart,
  offsets,
  reserve,
  reserveKeys,
  SCANNER_VERSION,
  starts,
  tos,
} from "./memory";
export { scanFields, setFields } from "./separated";
