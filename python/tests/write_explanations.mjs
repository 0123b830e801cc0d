// Writes what `explain` of Node says of URLs, a line of JSON each: reads { options, urls, base } as JSON.
import { readFileSync } from "node:fs";
import { createNormalizer } from "../../dist/index.js";

const { options, urls, base } = JSON.parse(readFileSync(0, "utf8"));
const normalizer = createNormalizer(options);
const lines = urls.map((url) => `${JSON.stringify(normalizer.explain(url, base))}\n`);
process.stdout.write(lines.join(""));
