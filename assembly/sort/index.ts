// The interface of the sort kernel: src/runs/cdx/sort-kernel.ts uses it.

export { lineEnd, setShape } from "./line";
export { memoryStart, PAD, reserve, SORT_VERSION } from "./memory";
export { beginMerge, current, dropStreamLine, keepStreamLine, merge, written } from "./merge";
export {
  beginRun,
  dropLine,
  gather,
  hasLines,
  keepLine,
  lineStart,
  linesRead,
  room,
  setLinesRead,
  setTextEnd,
  setTop,
  sort,
  takeLines,
} from "./run";
