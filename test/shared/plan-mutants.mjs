// Loads changed plans into both engines of dist/ and normalizes with those that are accepted, on a thread that a
// watch-dog can stop. `workerData`: the first number and the count of mutants, and shared memory for the number of
// the one in work. Answers with counts and faults.
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createNormalizer, UrlmillError } from "../../dist/index.js";
import { JsEngine } from "../../dist/javascript.js";

const { first, count, progress } = workerData;
const number = new Int32Array(progress);

const RULES = [
  "a.org\t*\tdrop sid,ref",
  "a.org\t/t/<N> ?q&!r\tkeep id,q",
  "a.org\t* ?x=1\tdropif x=1",
  "a.org\t/set/... ?p=2\tset p=1",
  "a.org\t*\tsort",
  "a.org\t*\tsub /print/<N><$> => /<1>",
  "a.org\t*\tsub ;s=<H>; => ;",
  "a.org\t/old/*\tpath /old/*/x/... => /<1>/<2>",
  "\tnot\t/a/b",
  "a.org\t*\tcut print",
  "a.org\t*\tlower path",
  "a.org\t/in\tsink /in",
  "www.a.org\t*\thost www.a.org => a.org",
  "b.org\t*\tscheme https",
  "c.org\t*\tslash path",
  "d.org\t/out\tunwrap url,to<*>",
  "*\t*\tdrop phpsessid2",
];
const LIST_RULES = [
  "*.a.org\t*\tdrop ref<*>,<*>clid,sid",
  "\tunless\tx.a.org\t/t/... ?q",
  "\tunless\t*.b.a.org\t*",
  "*.org\t/t/<N4>\tdropif id=<N>",
  "b.org\t*\tkeep id<*>,q",
  "*.org\t* ?q\tdropif <*>d=x<H8>-<T3>",
  "*\t*\tsub /<N3> => /",
  "\tunless\t*\t/print/<N3>",
];
const ALIASES = [
  "#urlmill-aliases 1",
  "a.org\t/p/1\t/p/one",
  "a.org\t/p/2\t/p/two",
  "b.org\t/x\t/y",
  "b.org\t/m?p=<7..12>\t/y",
  "b.org\t/m?p=<20..99>\t/z",
];
const OPTIONS = [
  { preset: "safe" },
  {
    preset: "aggressive",
    keepParams: ["q", "id*", "*x"],
    dropParams: ["ref", "a*"],
    allowedSchemes: ["http", "https"],
  },
  {
    preset: "crawl",
    www: "remove",
    wwwDigits: true,
    directoryIndex: ["index.html", "home.php"],
    defaultParams: { page: "1", lang: "en" },
    hostAliases: { "old.org": "new.org", "*.old.org": "new.org", "x.net": "y.net", "m.*": "*" },
    sites: {
      "a.org": { www: "keep", sortQuery: "name-value" },
      "*.b.org": { fragment: "keep", paramCase: "ignore" },
    },
  },
  { preset: "crawl", rules: ["#urlmill-rules 1", ...RULES].join("\n") },
  { preset: "crawl", rules: ["#urlmill-rules 1", ...LIST_RULES].join("\n") },
  {
    preset: "safe",
    rules: ["#urlmill-rules 1", ...RULES.slice(0, 3)].join("\n"),
    pageAliases: ALIASES.join("\n"),
  },
];
const PLANS = OPTIONS.map((options) => createNormalizer(options).plan);

const URLS = [
  "http://www.a.org/print/12?sid=1&q=2;s=0123456789abcdef0123;x=1",
  "http://a.org/t/7?q=1&id=3&x=1",
  "http://a.org/set/a/b?p=2&p=3",
  "http://a.org/old/one/x/two/three",
  "http://a.org/in?from=/t/1",
  "http://a.org/p/1",
  "http://A.ORG/Print/X/print/print/index.html?b=2&a=1&page=1&lang=en",
  "http://www.www2.a.old.org./a//b/?utm_source=x&CFID=1&CFTOKEN=2#frag",
  "http://b.org/x",
  "http://b.org/m?p=21",
  "https://c.org/d",
  "http://x.b.org/?REF=1&ref=2#!route",
  `http://a.org/${"-".repeat(5000)}`,
  `http://a.org/${"print/1/".repeat(600)}?${"a1;".repeat(1500)}`,
  `http://${"www.".repeat(800)}a.org/`,
  "ftp://x.net/%7euser/../a",
  "mailto:a@b.org",
  "not a url",
];
const LINES = new TextEncoder().encode(`${URLS.join("\n")}\n`);

/** A generator of numbers below 2^32 (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function mutantOf(index) {
  const random = randomOf(index);
  const own = PLANS[random(PLANS.length)];
  let plan = own.slice();
  const view = () => new DataView(plan.buffer);
  for (let times = 1 + random(3); times > 0; times--) {
    const words = plan.length / 4;
    // Half of the changes are in the header and what follows, where most addresses are.
    const at = 4 * (random(2) === 0 ? random(Math.min(words, 60)) : random(words));
    const other = view().getUint32(4 * random(words), true);
    const nasty = [
      0,
      1,
      2,
      3,
      4,
      64,
      0x7fffffff,
      0x80000000,
      0xffffffff,
      0xfffffffc,
      at,
      at + 4,
      at - 4,
      plan.length,
      plan.length - 4,
      plan.length - 64,
      other,
    ];
    switch (random(6)) {
      case 0:
        plan[random(plan.length)] ^= 1 << random(8);
        break;
      case 1:
        plan[random(plan.length)] = random(256);
        break;
      case 2:
        view().setUint32(at, nasty[random(nasty.length)] >>> 0, true);
        break;
      case 3:
        view().setUint32(
          at,
          (view().getUint32(at, true) + [1, -1, 4, -4, 8, 16][random(6)]) >>> 0,
          true,
        );
        break;
      case 4: {
        const donor = PLANS[random(PLANS.length)];
        const start = 4 * random(donor.length / 4);
        const piece = donor
          .subarray(start, start + 4 * (1 + random(16)))
          .subarray(0, plan.length - at);
        plan.set(piece, at);
        break;
      }
      default:
        if (random(8) === 0) plan = plan.slice(0, Math.max(48, 4 * random(words)));
        else view().setUint32(at, view().getUint32(4 * random(words), true), true);
    }
  }
  return plan;
}

const module = new WebAssembly.Module(
  readFileSync(new URL("../../dist/kernel.wasm", import.meta.url)),
);
let kernel = new WebAssembly.Instance(module).exports;

function isSame(bytes, start, expected) {
  return Buffer.compare(Buffer.from(bytes.buffer, start, expected.length), expected) === 0;
}

/** Returns whether the kernel accepts a plan. Throws if it traps, or writes where it only reads. */
function runKernel(plan) {
  if (kernel.reserve(plan.length, 0, LINES.length, 64) === 0) throw new Error("no memory");
  const bytes = new Uint8Array(kernel.memory.buffer);
  bytes.set(plan, kernel.planStart.value >>> 0);
  bytes.set(LINES, kernel.inputStart.value >>> 0);
  if (kernel.loadPlan() === 0) return false;
  kernel.loadBase(0);
  kernel.normalizeLines(LINES.length, 1);
  if (kernel.memory.buffer !== bytes.buffer) throw new Error("the memory grew in a call");
  if (!isSame(bytes, kernel.planStart.value >>> 0, plan)) throw new Error("the plan was written");
  if (!isSame(bytes, kernel.inputStart.value >>> 0, LINES))
    throw new Error("the input was written");
  return true;
}

function runJs(plan) {
  try {
    new JsEngine(plan, "").normalizeStrings(URLS, "");
    return true;
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "ENGINE_FAILED") return false;
    throw error;
  }
}

const faults = [];
let accepted = 0;
for (let index = first; index < first + count; index++) {
  Atomics.store(number, 0, index);
  const plan = mutantOf(index);
  const answers = [];
  for (const run of [runKernel, runJs]) {
    try {
      answers.push(run(plan));
    } catch (error) {
      faults.push(`mutant ${index}, ${run.name}: ${error}`);
      kernel = new WebAssembly.Instance(module).exports;
    }
  }
  if (answers.length === 2 && answers[0] !== answers[1]) {
    faults.push(
      `mutant ${index}: the kernel ${answers[0] ? "takes" : "refuses"} it, JavaScript does not agree`,
    );
  }
  if (answers[0] === true) accepted++;
}
parentPort.postMessage({ accepted, faults });
