// The interface of the scanner: src/formats/scan/scanner.ts uses it.

export { csvEnd, csvState, lineEnds, scanCsv, setColumns } from "./csv";
export { gather } from "./gather";
export { scanJson, setPath } from "./json";
export {
  affixes,
  columnStart,
  froms,
  inputStart,
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
  wovenStart,
  wovenStarts,
} from "./memory";
export { scanFields, setFields } from "./separated";
export { nextEscaped, setAddition, weave } from "./weave";
