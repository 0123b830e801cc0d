export { addUnseen, type UnseenResult } from "./add-unseen.ts";
export type { UniqueKeyOptions } from "./key-options.ts";
export { type CrawleeRequest, startRequest, transformRequest } from "./transform-request.ts";
export { createUniqueKey, type KeyedRequest, uniqueKey } from "./unique-key.ts";
