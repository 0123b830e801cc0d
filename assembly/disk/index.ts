// The interface of the disk kernel: src/seen/disk/disk-kernel.ts uses it.

export { setFiles } from "./block";
export { addBlockToFilter, findBlocks, findInRead, keysOfBlock } from "./find";
export { cutKeys, keepNewKeys } from "./key";
export { DISK_VERSION, memoryStart, reserve } from "./memory";
export {
  beginMerge,
  blocksWritten,
  freshEnd,
  keysWritten,
  merge,
  outputWritten,
  setInput,
  setOutput,
} from "./merge";
export {
  counterBits,
  countRows,
  gatherRows,
  keepUnmerged,
  markRows,
  numberRows,
  sortRows,
  splitGroup,
} from "./rows";
export {
  addToTables,
  fullestTable,
  growTables,
  keysInTables,
  missingInTables,
  setTables,
  takeTable,
} from "./table";
export { xxh64 } from "./xxh64";
