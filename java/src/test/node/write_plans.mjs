// Reads a JSON array of options from standard input, and writes the plan of each as Base64, one a line.
import { createNormalizer } from "../../../../dist/index.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
for (const options of JSON.parse(Buffer.concat(chunks).toString())) {
  process.stdout.write(`${Buffer.from(createNormalizer(options).plan).toString("base64")}\n`);
}
