// The interface of the scanner: src/formats/scan/scanner.ts uses it.

export { csvEnd, csvState, scanCsv, setColumns } from "./csv";
export { gather } from "./gather";
export { scanJson, setPath } from "./json";
export {
  columnStart,
  froms,
  inputStart,
  kinds,
  namesStart,
  offsets,
  reserve,
  SCANNER_VERSION,
  starts,
  tos,
} from "./memory";
export { scanFields, setFields } from "./separated";
