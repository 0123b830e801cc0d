// Makes the pages of docs/api: one for each entry point, with every public symbol and its doc comment.
import { ENTRY_POINTS } from "../entry-points.mjs";
import { exportedBy, extended } from "./symbols.mjs";

/** Says what each entry point is for. */
const PURPOSES = {
  urlmill: "normalize URLs one by one, in batches, lines and columns; fingerprints; `explain`",
  "urlmill/js": "the same normalizer without WebAssembly",
  "urlmill/pool": "batches and streams on several threads",
  "urlmill/seen": "sets that answer whether a URL is new, in memory or in a journal on disk",
  "urlmill/seen/lmdb": "the same sets in LMDB, for several processes",
  "urlmill/seen/redis": "the same sets in Redis, for several machines",
  "urlmill/learn": "rules for sites, learned from lists of pages, and the formats of such lists",
  "urlmill/crawlee": "keys for the requests of Crawlee",
  "urlmill/arrow": "vectors of Apache Arrow",
};

/** Lists the entry points: the name to import from, the file of `src`, and the page. */
const POINTS = ENTRY_POINTS.map(({ name, file }) => ({
  entry: name,
  file: `${file}.ts`,
  page: `${name.replace("urlmill/", "").replaceAll("/", "-")}.md`,
}));

const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;

/** Returns a comment as Markdown: its text, then its examples as code. */
function markdownOf(doc) {
  const [text, ...parts] = doc.split(/^@(?=example|default|internal)/m);
  const examples = parts.filter((part) => part.startsWith("example"));
  const blocks = examples.map((part) => {
    const code = part.replace("example", "").trim();
    const reason = code.includes("redis://") ? "<!-- not run: a Redis server -->\n" : "";
    return `${reason}${fence("js", code)}`;
  });
  return [fenced(text.trim()), ...blocks].filter((block) => block !== "").join("\n\n");
}

/** Returns a text whose indented code is in fences, which the site lets scroll. */
function fenced(text) {
  return text.replaceAll(/^(?: {4}.*\n?)+/gm, (code) =>
    fence("text", code.replaceAll(/^ {4}/gm, "").trimEnd()).concat(code.endsWith("\n") ? "\n" : ""),
  );
}

const textOf = (doc) =>
  doc
    .split(/^@/m)[0]
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");

/** Returns the value of the tag `@default` of a comment as a sentence; "" if there is none. */
function defaultOf(doc) {
  const [, value] = /^@default (.+)$/m.exec(doc) ?? [];
  return value === undefined ? "" : ` Default: ${value}.`;
}

/** Returns a member as a list shows it: its name, and its type if that is short. */
function labelOf({ name, signature }) {
  const plain = signature.replace(/^readonly /, "").replaceAll(/\s+/g, " ");
  return plain.startsWith(name) && plain.length <= 100 && /^\w+\??[:(]/.test(plain) ? plain : name;
}

const fieldsOf = (members) =>
  [...members.values()]
    .map((member) => `- \`${labelOf(member)}\`: ${textOf(member.doc)}${defaultOf(member.doc)}`)
    .join("\n");

/** Returns the members of a constant as a table: one name a row, with its value and its comment. */
function valuesOf(members) {
  if (members.size === 0) return "";
  const rows = [...members.values()].map(
    ({ name, value, doc }) => `| \`${name}\` | ${value} | ${textOf(doc)} |`,
  );
  return ["| name | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

/** Returns signatures and comments, one after the other. An overload without a comment stands by the one before it. */
function bodyOf({ signature, doc, overloads }) {
  const parts = [{ signatures: [signature], doc }];
  for (const overload of overloads) {
    if (overload.doc === "") parts.at(-1).signatures.push(overload.signature);
    else parts.push({ signatures: [overload.signature], doc: overload.doc });
  }
  return parts.flatMap((part) => [fence("ts", part.signatures.join("\n")), markdownOf(part.doc)]);
}

const methodsOf = ({ name, members }) =>
  [...members.values()].flatMap((member) => [`### ${name}.${member.name}`, ...bodyOf(member)]);

/** Returns the section of a function, a class or a value. */
function valueSection(symbol) {
  const { name, kind, members } = symbol;
  if (kind.startsWith("function")) return [`## ${name}`, ...bodyOf(symbol)];
  if (kind === "class") return [`## ${name}`, markdownOf(symbol.doc), ...methodsOf(symbol)];
  const isShort = !symbol.signature.includes("\n");
  const value = isShort ? [fence("ts", symbol.signature)] : [];
  return [`## ${name}`, ...value, markdownOf(symbol.doc), valuesOf(members)];
}

/** Returns the section of a type. `pages` has the pages of all names. */
function typeSection(symbol, pages) {
  const { name, kind, signature, doc, members } = symbol;
  const isAlias = kind === "type" && members.size === 0;
  return [
    `### ${name}`,
    ...(isAlias ? [fence("ts", signature)] : []),
    markdownOf(doc),
    fieldsOf(members),
    kind === "interface" ? parentsOf(symbol, pages) : "",
  ];
}

/** Returns a sentence about the types that an interface extends; "" if there are none. */
function parentsOf(symbol, pages) {
  const parents = [...extended(symbol).matchAll(/\w+/g)].filter(([name]) => pages.has(name));
  const links = parents.map(([name]) => linkTo(name, pages.get(name)));
  return links.length === 0 ? "" : `It also has the fields of ${links.join(" and ")}.`;
}

const linkTo = (name, page) => `[\`${name}\`](${page}#${name.toLowerCase()})`;

const byName = (a, b) => a.name.localeCompare(b.name, "en");
const isType = ({ kind }) => kind === "interface" || kind === "type";

/** Returns a sentence about the symbols that another page describes; "" if there are none. */
function othersOf(others, pages) {
  const links = others.map(({ name }) => linkTo(name, pages.get(name)));
  return links.length === 0 ? "" : `This entry point also exports ${links.join(", ")}.`;
}

/** Returns what each entry point exports, in their order, with the page that describes each symbol: the first. */
function readExports(points) {
  const owners = new Map();
  const placeOf = ({ file, name }) => `${file} ${name}`;
  return points.map((point) => {
    const symbols = [...exportedBy(point.file).values()]
      .filter(({ doc }) => doc !== "")
      .sort(byName);
    for (const symbol of symbols) {
      if (!owners.has(placeOf(symbol))) owners.set(placeOf(symbol), point.page);
    }
    return { ...point, symbols: symbols.map((symbol) => [symbol, owners.get(placeOf(symbol))]) };
  });
}

/** Returns the page of an entry point. `pages` has the pages of all names. */
function pageOf({ entry, page, symbols }, pages) {
  const isOwn = ([, owner]) => owner === page;
  const own = symbols.filter(isOwn).map(([symbol]) => symbol);
  const types = own.filter(isType);
  return [
    `# ${entry}`,
    `${purposeOf(entry)} [All entry points](README.md).`,
    ...own.filter((symbol) => !isType(symbol)).flatMap(valueSection),
    ...(types.length === 0
      ? []
      : ["## Types", ...types.flatMap((symbol) => typeSection(symbol, pages))]),
    othersOf(
      symbols.filter((symbol) => !isOwn(symbol)).map(([symbol]) => symbol),
      pages,
    ),
  ];
}

/** Returns what an entry point is for, as a sentence. Throws for one that has no text. */
function purposeOf(entry) {
  const text = PURPOSES[entry];
  if (text === undefined) throw new Error(`tools/api/pages.mjs says nothing of ${entry}`);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function indexOf(points) {
  return [
    "# API",
    "Each entry point of the package has a page. `npm run docs` writes the pages from the doc comments, so they say what your editor says. The tests run each example. Examples leave out imports, and `n` is `createNormalizer()`.",
    [
      "| import from | what for |",
      "|---|---|",
      ...points.map(({ entry, page }) => `| [\`${entry}\`](${page}) | ${PURPOSES[entry]} |`),
    ].join("\n"),
  ];
}

const document = (blocks) => `${blocks.filter((block) => block !== "").join("\n\n")}\n`;

/** Returns the pages of docs/api by their names. */
export function apiPages() {
  const points = readExports(POINTS);
  const all = points.flatMap(({ symbols }) => symbols).toReversed();
  const pages = new Map(all.map(([{ name }, page]) => [name, page]));
  return Object.fromEntries([
    ["README.md", document(indexOf(points))],
    ...points.map((point) => [point.page, document(pageOf(point, pages))]),
  ]);
}
