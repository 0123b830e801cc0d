// Writes COUNT random option sets to FILE, a JSON object a line: the options, and the plan and profile id that the built
// package makes of them, or the error. Usage: node write_option_sets.mjs COUNT SEED FILE
import { closeSync, openSync, writeSync } from "node:fs";
import { createNormalizer, UrlmillError } from "../../dist/index.js";
import { importSource } from "../../tools/import-source.mjs";

const { Random } = await importSource("../test/shared/random.ts");
const { randomOptions } = await importSource("../test/shared/random-options.ts");
const { randomRules } = await importSource("../test/shared/random-rules.ts");

const HOSTS = [
  ...[
    "BÜCHER.de",
    "faß.de",
    "voilà.fr",
    "你好.cn",
    "☃.net",
    "a\u00adb.c",
    "%61.b",
    "a%2Eb",
    "xn--9ca.fr",
  ],
  ...[
    "0x7f.1",
    "１.２.３.４",
    "1.2.3.256",
    "0X.",
    "1.2.3.4.",
    "::1",
    "FE80::1",
    "[::ffff:1.2.3.4]",
    "[::1",
  ],
  ...[
    "a b",
    "a:80",
    "",
    ".",
    "a..b",
    "a.b.",
    "*",
    "www.www.a.b",
    "www3.a.b",
    "\ud800.x",
    "a\tb",
    "a%00b",
    "a/b",
  ],
  ...[
    "localhost",
    "[v1.x]",
    "xn--a",
    "a_b.c",
    "a~b.c",
    "A\u3000.b",
    "[::1]:80",
    "[::1]]",
    "%5B::1]",
    "A.B",
  ],
];
const NAMES = [
  ...[
    "a=b",
    "a&b",
    "",
    "*",
    "*a*",
    "%zz",
    "%4",
    "\udc00x",
    "日本",
    "a b",
    "A%3db",
    "a;b",
    "#",
    "__proto__",
  ],
  ...["+", "%C3%a9*", "*%7E", "'", '"', "constructor", "10", "9", "ſ", "K"],
];
const FILES = ["", ".", "..", "%2e", "a/b", "İndex.html", "%2F", "INDEX.%68tml", "a b"];
const VALUES = [
  true,
  false,
  0,
  1,
  1.5,
  -1,
  "",
  "keep",
  "remove",
  [],
  ["a"],
  [1],
  {},
  { a: 1 },
  { a: "b" },
  { a: {} },
];
const NUMBERS = [1, 67_108_864, 67_108_865, 0, 1e6, 2.5, "9"];
const OPTIONS = [
  ..."preset engine maxLength defaultScheme schemes hostAliases sites rules acceptRules".split(" "),
  ..."www wwwDigits case fragment directoryIndex keepParams dropParams defaultParams nothing toString".split(
    " ",
  ),
];
const LEVELS = ["E0", "E1", "E2", "E3", "E4", "E5"];
const TEXTS = [
  ...'\t|\n|\r\n| |  |#|*|...|<N>|<H>|<T>|<$>|<1>|<9>|\\|\\\\|\\*| => |?|&|!|=|,|%|%41|%c3|%C3|é|\u2028|/|/../|;|:|""'.split(
    "|",
  ),
  ...[
    "{",
    "host a.b => c.d",
    "keep ",
    "sort",
    "E2 n=1 ok=1 lb=1",
    "\ufeff",
    "\ud83d\ude00",
    "0",
    "x",
    "@",
    "[::1]:443",
  ],
];

/** Rules, some with evidence, some as JSON, some from more than one file. */
function rulesText(random) {
  const lines = randomRules(random, random.chance(20) ? 300 : 1 + random.below(8)).split("\n");
  const changed = lines.map((line, at) => {
    if (at === 0 || line === "" || random.chance(2)) return line;
    if (random.chance(12)) return `${line}\n# a comment\n\n#urlmill-rules 1`;
    const [n, ok] = [random.below(1000), random.below(100)];
    const level = random.pick(LEVELS);
    if (random.chance(2))
      return `${line}\t${level} n=${n + ok} ok=${ok} lb=.${random.below(10_000)}`;
    const [site, condition, action] = line.split("\t");
    const evidence = random.chance(2) ? {} : { evidence: { level, n: n + ok, ok, lb: 0.5 } };
    return JSON.stringify({ site, condition, action, ...evidence });
  });
  return (random.chance(8) ? "\ufeff" : "") + changed.join(random.chance(4) ? "\r\n" : "\n");
}

function manySites(random) {
  const sites = Array.from(
    { length: 1 + random.below(400) },
    (_, at) => `s${at}-${random.below(9)}.example`,
  );
  const shared = ["ref", "from*", "*id"];
  const actions = [
    "drop a,b",
    "keep id",
    "sort",
    "lower path",
    "dropif page=1",
    "path /x/<N> => /<1>",
  ];
  return {
    sites: Object.fromEntries(sites.map((site) => [site, { dropParams: shared }])),
    rules: `#urlmill-rules 1\n${sites.map((site) => `${site}\t*\t${random.pick(actions)}\n`).join("")}`,
  };
}

/** Breaks a text at one place. */
function broken(random, text) {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(TEXTS) + text.slice(at + random.below(3));
}

/** Puts something in that is rare, and often refused. */
function disturb(random, options) {
  const pick = random.pick([
    () => ({ [random.pick(OPTIONS)]: random.pick(VALUES) }),
    () => ({
      hostAliases: { [random.pick(HOSTS)]: random.pick(HOSTS), "x.y": random.pick(HOSTS) },
    }),
    () => ({ hostAliases: { [`*.${random.pick(HOSTS)}`]: "a.b", [random.pick(HOSTS)]: "c.d" } }),
    () => ({ sites: { [random.pick(["", "*."]) + random.pick(HOSTS)]: { www: "keep" } } }),
    () => ({ sites: { "a.b": { [random.pick(OPTIONS)]: random.pick(VALUES) } } }),
    () => ({
      [random.pick(["dropParams", "keepParams"])]: ["a*", random.pick(NAMES), random.pick(NAMES)],
    }),
    () => ({
      defaultParams: Object.fromEntries([
        [random.pick(NAMES), random.pick(NAMES)],
        ["%41", "%2f"],
      ]),
    }),
    () => ({ directoryIndex: ["x", random.pick(FILES)] }),
    () => ({ maxLength: random.pick(NUMBERS) }),
    () => ({
      schemes: [random.pick(["HTTP", "a:", "", "\u212a", "x\n", "https", "a+b.c-1"]), "http"],
    }),
    () => ({ rules: broken(random, options.rules ?? rulesText(random)) }),
    () => ({ rules: broken(random, rulesText(random)) }),
    () => manySites(random),
  ]);
  return { ...options, ...pick() };
}

function randomSet(random) {
  const options = { ...randomOptions(random) };
  if (random.chance(3)) options.rules = rulesText(random);
  if (random.chance(6)) options.acceptRules = random.pick(["E3", "E4", "E5"]);
  return random.chance(3) ? disturb(random, options) : options;
}

function answer(options) {
  try {
    const { plan, profileId } = createNormalizer({ ...options, engine: options.engine ?? "js" });
    return { plan: Buffer.from(plan).toString("base64"), profileId };
  } catch (error) {
    if (!(error instanceof UrlmillError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const [, , count, seed, file] = process.argv;
const random = new Random(Number(seed));
const output = openSync(file, "w");
for (let set = 0; set < Number(count); set++) {
  const options = randomSet(random);
  writeSync(output, `${JSON.stringify({ options, ...answer(options) })}\n`);
}
closeSync(output);
