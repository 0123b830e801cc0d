// Writes COUNT random option sets to FILE, after some that are not random, a JSON object a line: the options, and the plan
// and profile id that the built package makes of them, or the error. Usage: node write_option_sets.mjs COUNT SEED FILE
import { closeSync, openSync, writeSync } from "node:fs";
import { createNormalizer, UrlmillError } from "../../dist/index.js";
import { importSource } from "../../tools/import-source.mjs";

const { Random } = await importSource("../test/shared/random.ts");
const { randomOptions } = await importSource("../test/shared/random-options.ts");
const { randomAliases } = await importSource("../test/shared/random-aliases.ts");
const { randomListRules, randomRuleLine, randomRules, urlsForRules, withExceptions } =
  await importSource("../test/shared/random-rules.ts");

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
  ..."preset engine maxLength defaultScheme allowedSchemes hostAliases sites rules pageAliases accept".split(
    " ",
  ),
  ..."www wwwDigits case fragment directoryIndex keepParams dropParams defaultParams nothing toString".split(
    " ",
  ),
];
const ODD = [
  ..."x / a .. . ? & ; <N> <H> <T> <$> <1> <2> * ... - 5 f Z a=1 # b% %2F".split(" "),
  "\\*",
  "\\<",
];
const MOVED = [
  "a.b",
  "a.b.",
  "a.b..",
  "a",
  "a.0x1..",
  "a.9..",
  "com.cn",
  "co.uk.",
  "1.2.3.4",
  "x.a.b",
  "[::1]",
  ".",
  "..",
  "a..b",
];
const LEVELS = ["standard", "declared", "fingerprint", "fetched", "size", "pattern"];
const TEXTS = [
  ...'\t|\n|\r\n| |  |#|*|...|<N>|<H>|<T>|<$>|<1>|<9>|\\|\\\\|\\*| => |?|&|!|=|,|%|%41|%c3|%C3|é|\u2028|/|/../|;|:|""'.split(
    "|",
  ),
  ...[
    "{",
    "host a.b => c.d",
    "keep ",
    "sort",
    "fingerprint n=1 ok=1 lb=1",
    "\ufeff",
    "\ud83d\ude00",
    "0",
    "x",
    "@",
    "[::1]:443",
  ],
];

/** Actions near the border between what loads and what does not; each is a set of its own, before the random ones. */
const ACTIONS = [
  ..."sub /x<T>x => /|sub /<T>x => /|sub ax<T>/ => a|sub /x<T>/ => /|sub a<N>1 => a|sub a1<N> => a".split(
    "|",
  ),
  ..."sub a<N> => <1>a|sub b<N> => a<1>|sub a<N>b => a<1>a|sub aa<N> => aa<1>|sub ab => ba|sub ba => ab|sub b<N> => ax".split(
    "|",
  ),
  ..."sub a<N>b<N> => a<2>b|sub a<N>b<N> => a<2>b<1>|sub a<N>b<N> => b<1>|sub a<N>b => a<1><1>|sub a<H> => aaaaaaaaaaaaaaaa".split(
    "|",
  ),
  ..."path /a/. => /|path /a/.<N> => /|path /a/..<N>/ => /|path /a/./<N> => /|path /a/<N>/aa => /.<1>|path /a/<N>/aa => /<1>/.".split(
    "|",
  ),
  ..."path /.../a => /|path /...a<N> => /|path /a... => /|path /*/<N> => /|path /*<N> => /|path /<N><N> => /|path /a? => /".split(
    "|",
  ),
  ..."path /a/*x/b => /<1>|path /a/<N> => <1>|path /ab => /a?|path /<H>a => /|path /<H>g => /<1>|sub /a<$>b => /|sub /a<$> => /".split(
    "|",
  ),
  ...'sink /|sink /a|sink /?|drop & a,b|drop &|keep &|keep & a|dropif & a=<N>|dropif & a=1|set & a=1|drop &a|drop &  a|sink x|sink /a/..|sink /#|cut .|cut a/b|cut |keep|keep |drop|drop a,a|drop ""|set a|dropif =|sort x'.split(
    "|",
  ),
];

/** What stands after a rule: exceptions, right and wrong. */
const EXCEPTIONS = [
  ..."/|/a?b|/a\n\tnot\t/b\n\n# x\n\tnot\t/c|/a\n\tnot\t/a|/a|/%41|/a%2f|/a b|/..|/.|/a#|a|?|/é|/^|/?\\|/a\tb|".split(
    "|",
  ),
  "/?a'",
  "/?`{}|",
  "/`{}",
];

/** Aliases near the border between what loads and what does not. */
const ALIASES = [
  ..."a.b /x /y|a.b /x /y fingerprint|a.b /x /x|a.b /x /y\na.b /y /z|a.b /x /y\na.b /x /z|* /x /y|a.b /x# /y|a.b x /y|a.b /x".split(
    "|",
  ),
  ..."a.b /x /../y|a.b /x? /x|a.b /x{ /y|a.b /x?{ /y?'|a.b /%c3 /y|a.b /x /y E9|a.b /x /y fingerprint n|A.b /x /y|a.b:443 /x /y".split(
    "|",
  ),
  ..."/t<1..9> /y|/t<1..9>x1 /y|/1<2..9> /y|/<0..999999999>? /y|/<0..1000000000> /y|/<05..9> /y|/<9..9> /y|/<..9> /y|/a<1..2><3..4> /y|/a<> /y|/%<20..30> /y|/x? /<1..2>"
    .split("|")
    .map((line) => `a.b ${line}`),
  ..."/a<1..5> /y\na.b /a<5..9> /z|/a<1..9> /y\na.b /a<2..3> /y|/a<2..3> /y\na.b /a<1..9> /y|/a<1..9> /y\na.b /a5 /y|/a5 /y\na.b /a<1..9> /y|/a<1..9> /a5|/y /a5\na.b /a<1..9> /y5|/a<1..4> /a5\na.b /a<6..9> /a5"
    .split("|")
    .map((line) => `a.b ${line}`),
];

const SETS = [
  {
    sites: {
      "a.b": { case: "lower-path-query", dropParams: ["X"] },
      "c.d": { paramCase: "ignore", dropParams: ["x"] },
    },
  },
  { www: "remove", sites: { "www2.a.b": { fragment: "remove" } } },
  { schemes: ["http"] },
  { www: "remove", wwwDigits: true, sites: { "www2.a.b": { fragment: "remove" } } },
  { hostAliases: { "a.b": "1.0x7F", "*.0x": "a.b" } },
  { hostAliases: { "a.b": "1.0x7F" }, sites: { "0X7f.1": {} } },
  // Refused, each for a reason that random sets seldom meet.
  { hostAliases: { "a.b": "c.d", "A.B": "e.f" } },
  { hostAliases: { "m.*": "*", "AMP.*": "*", "b\u00fc.*": "*", "m.x.y": "m.x.y" } },
  { hostAliases: { "b\u00fc.*": "*", "xn--b-eha.*": "*", "M.*": "*", "m.*": "*" } },
  { hostAliases: { "m.*": "x.y" } },
  { hostAliases: { "m.n.*": "*" } },
  { hostAliases: { "1.*": "*" } },
  { hostAliases: { ".*": "*" } },
  { hostAliases: { "www.*": "*" }, sites: { "*.x": { www: "add" } } },
  { hostAliases: { "a.b": "m.a.b", "m.*": "*" } },
  { sites: { "a.b": {}, "A.B": {} } },
  { sites: { "a.*.b": {} } },
  { scheme: "https", allowedSchemes: ["http"] },
  { sites: { "a.b": { defaultScheme: "http" } } },
  { sites: { "a.b": { toString: [] } } },
  { sites: { "a.b.": { trailingDot: "remove", fragment: "remove" } } },
  { dropParams: ["*a*"] },
  { keepParams: [""] },
  { keepParams: ["a=b"] },
  { defaultParams: { "a&b": "c" } },
  { defaultParams: { a: "b", "%61": "c" } },
  { directoryIndex: ["a/b"] },
  { accept: "E4" },
  { rules: "rules.tsv" },
  { pageAliases: "C:\\lists\\aliases.tsv" },
  { rules: "rules.tsv\n" },
  { rules: "my rules.tsv" },
  { trailingSlash: "remove", rules: "#urlmill-rules 1\n*\t*\tslash path" },
  ...[
    "\ufeffa.b\t*\tsort",
    "#urlmill-rules 2",
    "a.b\t?a /b\tsort",
    "a.b\ta\tsort",
    "a.b\t/a b\tsort",
    "a.b\t/a ?b c\tsort",
    "a.b\t* ?!a=1\tsort",
    "a.b\t/a<$>\tsort",
    "a.b\t/a#\tsort",
    "a.b\t*\tlower x",
    "a.b\t*\tdrop a=b",
    "a.b\t*\tdrop a&b",
    "a.b\t*\tcut a\\",
    "a.b\t*\thost x.y => c.d",
    "a.b\t*\tsub a => <x>",
    "a.b\t*\tsub a => #",
    "a.b\t*\tsub a => <1>",
    "a.b\t*\tsub a",
    "a.b\t*\tsub <x> => a",
    `a.b\t*\tsub ${"a<N>".repeat(33)} => a`,
    "a.b\t*\tsort\tfingerprint n=1 ok=2 lb=1",
    "a.b\t*\tsort\tfingerprint n=9007199254740993 ok=1 lb=1",
    "a.b\tsort",
    "a.b\t*\tbreak",
    "a.b\t*\tsort\tfingerprint",
    "a.b\t/%4\tsort",
    "a.b\t*\tsub <N>a => a",
    "a.b\t/12\tsub 12 => &ax",
    "a.b\t*\thost a.b => a.b",
    "*\t*\thost * => a.b",
    "*\t*\tunwrap url",
    "a.b\t*\thost a.b => c.d\nc.d\t*\thost c.d => a.b",
    "*.1.2.3.4\t*\tsort",
    "*.[::1]\t*\tsort",
    "*.\t*\tsort",
    `*.${"a.".repeat(32)}b\t*\tsort`,
    "*.a.b:81\t*\thost *.a.b:81 => c.d",
    "*.a.b\t*\thost a.b => c.d",
    "*\t*\thost a.b => c.d",
    "a.b\t*\tdrop <*>",
    "a.b\t*\tdrop a<*>b",
    "a.b\t*\tkeep <*>a=",
    "a.b\t*\tset a<*>=1",
    "a.b\t*\tdropif a=<N><N>",
    "a.b\t*\tdropif a=<N>1",
    "a.b\t*\tdropif a=<N0>",
    "a.b\t*\tdropif a=<$>",
    "a.b\t*\tdropif a=<N>&b",
    "a.b\t*\tdropif a=<*>;b",
    "a.b\t*\tdropif a=<N>#",
    "a.b\t*\tdropif a<*>=*...<N9999>",
    "a.b\t*\tdrop x\n\tunless\t/p",
    "a.b\t*\tdrop x\n\tunless\ta.b:81\t/p",
    "a.b\t*\tdrop x\n\tunless\tA.b\t/p",
    "a.b\t*\tdrop x\n\tunless\t*\tp",
    "\tunless\ta.b\t/p",
    `a.b\t*\tdrop x${"\n\tunless\t*\t/p".repeat(10_001)}`,
    "a.b\t*\tdrop x\tlist n=1 ok=1 lb=1",
    "a.b\t*\tdrop x\tlist:X 2026-11-26",
    '{"site":"*.a.b","condition":"*","action":"sort","unless":[]}',
    '{"site":"*.a.b","condition":"*","action":"sort","unless":[{"site":"*"}]}',
    '{"site":"*.a.b","condition":"*","action":"sort","unless":[{"site":"c.a.b","condition":"/p"}]}',
    '{"site":"*.a.b","condition":"*","action":"sort","unless":[{"condition":"/p","site":"c.a.b"}]}',
    '{"site":"a","condition":"*","action":"sort","evidence":{"level":"list","n":0,"ok":0,"lb":0}}',
    '{"site":"a","condition":"*","action":"sort","evidence":{"level":"list","n":0,"ok":0,"lb":0,"list":"x 2026-11-26"}}',
    '{"site":"a","condition":"*","action":"sort","evidence":{"level":"size","n":0,"ok":0,"lb":0,"list":"x 2026-11-26"}}',
    '{"site":"a","condition":"*","action":"sort","evidence":{"level":"list","n":0,"ok":0,"lb":0,"list":1}}',
    "{",
    '{"site":1}',
    '{"site":"a.b","condition":"*","action":"sort","x":1}',
    '{"site":"a.b","condition":"*","action":"sort","evidence":{}}',
    '{"site":"a.b","condition":"*","action":"sort","evidence":{"level":"fingerprint","n":1,"ok":2,"lb":1}}',
    "a.b\t/t/<N> ?p&q\ttrust self #p<N> from 4\tfingerprint n=12 ok=12 lb=.7575",
    "a.b\t*\tdistrust og",
    "a.b\t*\ttrust canonicle",
    "a.b\t*\ttrust self #p from 0",
    "a.b\t*\ttrust og\tdeclared n=1 ok=1 lb=1\tx",
    "a.b\tt?p\ttrust self #p",
    "A.b\t*\ttrust og\tsure",
    "a.b\t*\ttrust og\tsure",
    "a.b\t*\ttrust",
    "*\t*\ttrust og",
    "a.b\t/print/...\tnoindex",
    "a.b\t/t/<N> ?p\texhausted 2026-11-28\tfingerprint n=12 ok=12 lb=.7575",
    "A.b\t/p\tnoindex",
    "a.b\tp\tnoindex",
    "a.b\t/p\tnoindex 2026-11-28",
    "a.b\t/p\texhausted",
    "a.b\t/p\texhausted 2026-13-01",
    "a.b\t/p\tnoindex\tsure",
    "a.b\t*\tsort\n\tnot\t/c\na.b\t/p\tnoindex",
    "a.b\t*\tsort\na.b\t/p\tnoindex\n\tnot\t/c",
    "a.b\t*\tsort\na.b\t*\ttrust og\n\tunless\ta.b\t/p",
    "a.b\t/p\tnoindex\tdeclared n=1 ok=1 lb=1\tx",
  ].map((line) => ({ rules: `#urlmill-rules 1\n${line}\n` })),
];

const EXCEPT = [["/q/r"], ["/q/r", "/q/s?t"], ["/q/r", "/q/r"], ["x"], [], [1], {}, null, "/"];
const plain = createNormalizer({ engine: "js" });

/** Rules, some with evidence, some as JSON, some from more than one file. */
function rulesText(random) {
  const count = random.chance(20) ? 300 : 1 + random.below(8);
  const rules = random.chance(3) ? randomListRules(random, count) : randomRules(random, count);
  const urls = plain.normalizeBatch(urlsForRules(random, 60)).urls.filter((url) => url !== null);
  const lines = (random.chance(2) ? withExceptions(random, rules, urls) : rules).split("\n");
  const changed = lines.map((line, at) => {
    if (at === 0 || line === "" || line.startsWith("\t") || random.chance(2)) return line;
    if (random.chance(12)) return `${line}\n# a comment\n\n#urlmill-rules 1`;
    const [n, ok] = [random.below(1000), random.below(100)];
    const level = random.pick(LEVELS);
    if (random.chance(4)) return `${line}\tlist:a-list 2026-11-26`;
    if (random.chance(2))
      return `${line}\t${level} n=${n + ok} ok=${ok} lb=.${random.below(10_000)}`;
    const [site, condition, action] = line.split("\t");
    const evidence = random.chance(2) ? {} : { evidence: { level, n: n + ok, ok, lb: 0.5 } };
    const except = random.chance(4) ? { except: random.pick(EXCEPT) } : {};
    return JSON.stringify({ site, condition, action, ...evidence, ...except });
  });
  return (random.chance(8) ? "\ufeff" : "") + changed.join(random.chance(4) ? "\r\n" : "\n");
}

/** Aliases, some with evidence, some from more than one file. */
function aliasesText(random) {
  const text = randomAliases(random, urlsForRules(random, 40), 1 + random.below(60));
  const lines = text
    .split("\n")
    .map((line) =>
      line !== "" && random.chance(12) ? `${line}\n# a comment\n\n#urlmill-aliases 1` : line,
    );
  return (random.chance(8) ? "\ufeff" : "") + lines.join(random.chance(4) ? "\r\n" : "\n");
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
    "slash path",
    "unwrap url,u<*>",
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

/** One rule of short pieces, which seldom loads. */
function oddRule(random) {
  const some = () => Array.from({ length: random.below(4) }, () => random.pick(ODD)).join("");
  const kind = random.pick(["sub", "path"]);
  return `a.b\t*\t${kind} ${kind === "path" ? "/" : random.pick(ODD)}${some()} => ${kind === "path" ? "/" : ""}${some()}`;
}

/** Moves among few hosts, many of them in a circle. */
function hostMoves(random) {
  const sites = ["a.b", "c.d", "e.f", "g.h", "i.j"];
  return Array.from({ length: 1 + random.below(6) }, () => {
    const from = random.pick(sites);
    return `${from}\t*\thost ${from} => ${random.pick(sites)}`;
  }).join("\n");
}

/** Hosts that www, its digits and final dots move. */
function movedHosts(random) {
  const host = () =>
    random.pick(["", "", "www.", "www2.", "www0.", "www123.", "www1234."]) + random.pick(MOVED);
  const site = () => ({
    [random.pick(["www", "trailingDot"])]: "remove",
    fragment: random.pick(["keep", "remove"]),
  });
  return {
    www: random.pick(["keep", "remove", "add"]),
    wwwDigits: random.chance(2),
    trailingDot: random.pick(["keep", "remove"]),
    hostAliases: {
      ...(random.chance(2) ? {} : { [random.pick(["", "*."]) + host()]: host() }),
      ...(random.chance(4) ? { [random.pick(["www.*", "www2.*", "a.*"])]: "*" } : {}),
    },
    sites: random.chance(2)
      ? { [random.pick(["", "*."]) + host()]: site() }
      : { [host()]: site(), [host()]: {} },
  };
}

/** Names about as long as the lengths that a table tells apart. */
function longNames(random) {
  const name = () => "x".repeat(28 + random.below(8));
  return { dropParams: [`${name()}*`, `*${name()}`, name()], keepParams: [`${name()}*`] };
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
      allowedSchemes: [
        random.pick(["HTTP", "a:", "", "\u212a", "x\n", "https", "a+b.c-1"]),
        "http",
      ],
    }),
    () => ({ rules: broken(random, options.rules ?? rulesText(random)) }),
    () => ({ rules: broken(random, rulesText(random)) }),
    () => ({ pageAliases: broken(random, options.pageAliases ?? aliasesText(random)) }),
    () => ({ pageAliases: broken(random, aliasesText(random)) }),
    () => ({ rules: `#urlmill-rules 1\n${randomRuleLine(random)}\n${oddRule(random)}` }),
    () => ({ rules: `#urlmill-rules 1\n${randomRuleLine(random)}` }),
    () => ({ rules: `#urlmill-rules 1\n${oddRule(random)}` }),
    () => ({ rules: `#urlmill-rules 1\n\n${hostMoves(random)}` }),
    () => movedHosts(random),
    () => longNames(random),
    () => manySites(random),
  ]);
  return { ...options, ...pick() };
}

function randomSet(random) {
  const options = { ...randomOptions(random) };
  if (random.chance(3)) options.rules = rulesText(random);
  if (random.chance(4)) options.pageAliases = aliasesText(random);
  if (random.chance(6)) options.accept = random.pick(["fetched", "size", "pattern"]);
  if (random.chance(3)) return disturb(random, options);
  return random.chance(3) ? disturb(random, {}) : options;
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
const write = (options) =>
  writeSync(output, `${JSON.stringify({ options, ...answer(options) })}\n`);
for (const options of SETS) write(options);
for (const action of ACTIONS) write({ rules: `#urlmill-rules 1\na.b\t*\t${action}\n` });
for (const text of EXCEPTIONS) {
  write({ rules: `#urlmill-rules 1\na.b\t*\tsort\n\tnot\t${text}\n` });
  write({ rules: `#urlmill-rules 1\na.b\t*\tscheme https\n\tnot\t${text}\n` });
  write({ rules: `#urlmill-rules 1\n\tnot\t${text}\n` });
  write({ rules: `#urlmill-rules 1\na.b\t*\tsort\n#urlmill-rules 1\n\tnot\t${text}\n` });
}
for (const lines of ALIASES)
  write({ pageAliases: `#urlmill-aliases 1\n${lines.replaceAll(" ", "\t")}` });
for (let set = 0; set < Number(count); set++) write(randomSet(random));
closeSync(output);
