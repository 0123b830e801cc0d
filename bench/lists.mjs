// Measures what --block costs: a list of 4.6 million made-up domains, on real URLs, and where each host is new.
// `npm run bench lists`, or `npm run bench lists -- 100000` for a shorter list. It bundles the source, because no
// function of the package does this alone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { prepare } from "../src/normalizers.ts";
import { readLists } from "../src/runs/filter/read-lists.ts";
import { UrlFilter } from "../src/runs/filter/url-filter.ts";
import { ChunkKernel } from "../src/runs/rows/chunk-kernel.ts";

const DOMAINS = Number(process.argv[2] ?? 4_600_000);
const CHUNK = 1 << 18;
const ROUNDS = 15;
const TLDS = ["com", "com", "com", "net", "org", "de", "ru", "co.uk", "info", "xyz"];

let seed = 1;
/** Returns the next number of xorshift, from 0 to `below` - 1. */
function random(below) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % below;
}

function domain() {
  let name = "";
  for (let left = 5 + random(12); left > 0; left--) name += String.fromCharCode(97 + random(26));
  return `${name}.${TLDS[random(TLDS.length)]}`;
}

/** Returns lines in chunks, as a run reads them. */
function chunksOf(lines) {
  const chunks = [];
  for (let at = 0; at < lines.length; ) {
    const end = at + CHUNK >= lines.length ? lines.length : lines.lastIndexOf(10, at + CHUNK) + 1;
    chunks.push(lines.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** Returns the time of the processor that normalizing chunks takes, in nanoseconds. */
function timeOf(kernel, chunks) {
  const before = process.cpuUsage();
  let blocked = 0;
  for (const chunk of chunks) {
    kernel.load(0, {
      read(_, memory) {
        memory.input.set(chunk);
        return { length: chunk.length, long: null, start: null };
      },
      noteStart() {},
    });
    if (kernel.failure !== null) throw kernel.failure;
    blocked += kernel.blocked;
  }
  const { user, system } = process.cpuUsage(before);
  return { time: 1000 * (user + system), blocked };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const module = new WebAssembly.Module(readFileSync("dist/kernel.wasm"));
const { normalizer, setup } = prepare({ module });
const folder = mkdtempSync(join(tmpdir(), "urlmill-lists-"));
const listed = Array.from({ length: DOMAINS }, domain);
const file = join(folder, "domains.txt");
writeFileSync(file, `${listed.join("\n")}\n`);
const started = process.cpuUsage();
const memory = await readLists({ block: [file], allow: [] }, normalizer);
const { user, system } = process.cpuUsage(started);
rmSync(folder, { recursive: true });
const bytes = memory.hosts.buffer.byteLength;
console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, one core`);
console.log(
  `list of ${DOMAINS.toLocaleString("en")} domains: read in ${((user + system) / 1e6).toFixed(1)} s of the processor, ${Math.round(bytes / 1e6)} MB\n`,
);

const paths = (host) => `https://${host}/${random(1e6).toString(36)}/index.html?id=${random(1e6)}`;
const real = gunzipSync(readFileSync("test/fixtures/urls-50k.txt.gz"));
const count = 500_000;
const INPUTS = [
  ["real URLs", Buffer.concat(Array(10).fill(real))],
  ["each host new", lines(() => paths(random(2) === 0 ? domain() : `www.${domain()}`))],
  ["each host listed", lines(() => paths(listed[random(DOMAINS)]))],
];

function lines(url) {
  return Buffer.from(Array.from({ length: count }, () => `${url()}\n`).join(""));
}

console.log("| URLs | blocked | ns a URL, normalizing | ns a URL more with the list |");
console.log("|---|---:|---:|---:|");
const kernelWith = (filter) => new ChunkKernel(setup.plan, module, CHUNK, false, filter);
const plain = kernelWith(null);
const filtered = kernelWith(UrlFilter.of(memory));
for (const [name, text] of INPUTS) {
  const chunks = chunksOf(text);
  const rows = text.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
  const [without, more] = [[], []];
  let share = 0;
  for (let round = -3; round < ROUNDS; round++) {
    const { time } = timeOf(plain, chunks);
    const { time: longer, blocked } = timeOf(filtered, chunks);
    share = blocked / rows;
    if (round < 0) continue;
    without.push(time / rows);
    more.push((longer - time) / rows);
  }
  console.log(
    `| ${name} | ${(100 * share).toFixed(1)} % | ${median(without).toFixed(0)} | ${median(more).toFixed(0)} |`,
  );
}
