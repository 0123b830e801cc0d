// Reads [url, base] pairs as JSON from standard input, and writes what the Node package makes of each:
// [url or null, code, offset].
import { createNormalizer, statusName } from "../../dist/index.js";

const n = createNormalizer({ preset: process.argv[2] });
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const results = JSON.parse(Buffer.concat(chunks).toString()).map(([url, base]) => {
  const { status } = n.tryNormalize(url, base ?? undefined);
  try {
    return [n.normalize(url, base ?? undefined), statusName(status), -1];
  } catch (error) {
    return [null, error.code, error.offset];
  }
});
process.stdout.write(JSON.stringify(results));
