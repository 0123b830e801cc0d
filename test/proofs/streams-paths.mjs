// The streaming paths that streams.mjs and streams-interrupts.mjs look at.
import { blocks } from "./streams-input.mjs";

const CLI = "dist/cli/main.js";

/**
 * Each path: its arguments of Node, and the block it takes on standard input; null where it reads `list`, "own" where
 * it makes its input. `file` makes the name of a file to write.
 */
export function streamingPaths(list, file, bytes) {
  const cli = (name, input, ...args) => ({ name, input, args: [CLI, ...args, "--no-progress"] });
  const pool = (call, input) => ({
    name: `pool.${call}`,
    input,
    args: ["test/proofs/streams-pool.mjs", call, `${bytes}`],
  });
  const hasZstd = blocks.zstd !== undefined;
  return [
    cli("normalize, stdin to stdout", "lines", "normalize"),
    cli("normalize, 1 thread", "lines", "normalize", "--threads", "1"),
    cli("normalize, file to file", null, "normalize", list, "-o", "/dev/null"),
    cli("normalize to .gz", null, "normalize", list, "-o", file("out.gz")),
    ...(hasZstd ? [cli("normalize to .zst", null, "normalize", list, "-o", file("out.zst"))] : []),
    cli("normalize from gzip", "gzip", "normalize"),
    ...(hasZstd ? [cli("normalize from zstd", "zstd", "normalize")] : []),
    cli("normalize --errors", "errors", "normalize", "--errors", "/dev/null"),
    cli("normalize --errors to .gz", "errors", "normalize", "--errors", file("errors.gz")),
    cli("normalize --format jsonl", "jsonl", "normalize", "--format", "jsonl", "--field", "url"),
    cli("normalize of one line", "one line", "normalize"),
    cli("dedupe, stdin to stdout", "lines", "dedupe"),
    cli("dedupe, 1 thread", "lines", "dedupe", "--threads", "1"),
    cli("dedupe, file to .gz", null, "dedupe", list, "-o", file("new.gz")),
    cli("dedupe --map", null, "dedupe", list, "--map", "/dev/null"),
    cli("dedupe --map to .gz", null, "dedupe", list, "--map", file("map.gz")),
    cli("dedupe --seen", null, "dedupe", list, "--seen", file("seen")),
    pool("transform", "lines"),
    pool("webTransform", "lines"),
    pool("normalizeEach", "own"),
    pool("normalizeEach of an array", "own"),
  ];
}
