// The interface of the page kernel: src/parquet/memory/page-kernel.ts uses it.

export { compress } from "./compress";
export { bufferStart, PAD, PAGES_VERSION, reserve } from "./memory";
export { uncompress } from "./uncompress";
export { boundLongs, chooseValues, findStarts, joinContents } from "./values";
