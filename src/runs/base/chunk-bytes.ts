/** The bytes of a chunk that one thread reads and writes: it then stays in its core's cache. */
export const CHUNK = 1 << 18;
/** The bytes of a chunk that another thread gets: messages are then few. */
export const CHUNK_SENT = 1 << 20;
