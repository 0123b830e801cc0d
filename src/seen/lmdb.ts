export { lmdb } from "./lmdb/lmdb.ts";
