// Writes the section of each option in docs/options.md: its values, and examples whose results are those of the package.
import { normalize } from "../dist/index.js";
import { headingAnchor } from "./heading-anchor.mjs";
import { importSource } from "./import-source.mjs";
import { argumentsOf, flagsOf } from "./option-texts.mjs";
import { programOf, valueText } from "./program-text.mjs";

const { CATALOG } = await importSource("options/catalog.ts");
const { flagOf } = await importSource("runs/call/flags/flag.ts");

const RULE = "#urlmill-rules 1\nexample.org\t*\tdrop ref\n";
const PROPOSAL = "#urlmill-rules 1\nexample.org\t*\tdrop ref\tpattern n=9 ok=9 lb=.8\n";
const ALIAS = "#urlmill-aliases 1\nexample.org\t/?p=12\t/news/\n";

/** Gives examples of options that are not rows of the table of steps, and more examples of those that are. */
const EXAMPLES = {
  preset: ["safe", "crawl", "c14n", "aggressive"].map((preset) => [
    { preset },
    "http://www.a.b/c//d/?y=2&x=1&utm_source=z#top",
  ]),
  engine: [[{ engine: "js" }, "HTTP://A"]],
  maxLength: [[{ maxLength: 20 }, "http://example.com/a/long/path"]],
  defaultScheme: [
    [{ defaultScheme: "https" }, "example.com/x"],
    [{}, "example.com/x"],
  ],
  allowedSchemes: [[{ allowedSchemes: ["http", "https"] }, "mailto:x@a.example"]],
  www: [[{ www: "remove" }, "http://www.example/"]],
  explicitPort: [[{}, "http://a:8080/"]],
  sessionIds: [[{ sessionIds: "remove" }, "http://a/?sid=1"]],
  directoryIndex: [[{ directoryIndex: ["home.asp"] }, "http://a/b/home.asp"]],
  trailingSlash: [[{ trailingSlash: "add" }, "http://a/b.html"]],
  trackingParams: [[{ trackingParams: "remove" }, "http://a/?gclid=1&ref=b#utm_medium=c"]],
  defaultParams: [[{ defaultParams: { page: "1" } }, "http://a/?page=2"]],
  sites: [
    [{ sites: { "*.example.org": { www: "remove" } } }, "http://www.example.org/"],
    [{ sites: { "*.example.org": { www: "remove" } } }, "http://www.example.com/"],
  ],
  rules: [[{ rules: RULE }, "http://example.org/?ref=a&b"]],
  pageAliases: [[{ pageAliases: ALIAS }, "http://example.org/?p=12"]],
  accept: [
    [{ rules: PROPOSAL }, "http://example.org/?ref=a&b"],
    [{ accept: "pattern", rules: PROPOSAL }, "http://example.org/?ref=a&b"],
  ],
};

/** Names what to read besides the specification. */
const MORE = {
  module: "[Browsers and the edge](browsers-and-edge.md) has an example for each platform.",
  rules: "[Learning rules](learn.md) makes such files.",
  pageAliases: "[Aliases](learn-method.md#aliases) says how to make such files.",
};

/** Returns the sections of all options. `specification` is the text of docs/spec.md. */
export function optionSections(specification) {
  const anchors = new Set(
    [...specification.matchAll(/^#+ (.*)$/gm)].map(([, title]) => headingAnchor(title)),
  );
  const sections = CATALOG.filter(({ option }) => option !== undefined).map((entry) =>
    sectionOf(entry, anchors),
  );
  return `${sections.join("\n\n")}\n`;
}

function sectionOf({ name, option, rows = [] }, anchors) {
  const examples = [...rows.map(({ set, url }) => [set, url]), ...(EXAMPLES[name] ?? [])];
  const anchor = name.toLowerCase();
  const exact = anchors.has(anchor) ? `[Specification](spec.md#${anchor}).` : "";
  return [
    `### ${name}`,
    option.text,
    factsOf(name, option, examples),
    codeOf(examples),
    [MORE[name] ?? "", exact].filter((text) => text !== "").join(" "),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function factsOf(name, option, examples) {
  const [first] = examples.filter(([set]) => Object.hasOwn(set, name) && set[name] !== "safe");
  return [
    `- Values: ${valuesOf(option)}. Default: ${defaultOf(option)}.`,
    ...presetsOf(option),
    ...(option.flag === undefined
      ? []
      : [`- Command line: \`${flagFor(name, option, first[0])}\`.`]),
    ...(first === undefined
      ? []
      : [`- Python: ${IN_PYTHON[name] ?? `\`${argumentsOf(first[0])}\``}.`]),
  ].join("\n");
}

/** What Python takes of an option whose values are not those of Node. */
const IN_PYTHON = { engine: '`engine="wasm"`, which is its only engine' };

const KINDS = {
  bytes: "a number of bytes",
  names: "a list of names",
  fileNames: '`"keep"`, `true`, or a list of names of files',
  pairs: "an object of texts",
  sites: "an object that maps hosts to options",
  text: "the text of a file",
  module: "a `WebAssembly.Module`",
};

const valuesOf = ({ values }) =>
  Array.isArray(values) ? values.map(codeOfValue).join(", ") : KINDS[values];

const defaultOf = ({ values, default: given }) =>
  given?.split("; ")[0].replace(/^(".*")$/, "`$1`") ?? codeOfValue(values[0]);

const codeOfValue = (value) => `\`${valueText(value)}\``;

/** Returns which value which presets set, as a line of a list; nothing if none sets one. */
function presetsOf({ presets = {} }) {
  const namesOf = (value) =>
    Object.keys(presets)
      .filter((preset) => codeOfValue(presets[preset]) === value)
      .map((preset) => `\`${preset}\``)
      .join(", ");
  const values = [...new Set(Object.values(presets).map(codeOfValue))];
  const set = values.map((value) => `${value} in ${namesOf(value)}`);
  return set.length === 0 ? [] : [`- Presets: ${set.join("; ")}.`];
}

/** Returns the flags of an example. A flag whose value is JSON shows that, one of a text takes a file. */
function flagFor(name, { values, flag }, set) {
  if (values === "sites") return `--${flagOf(name)} ${flag.value}`;
  const texts = Object.entries(set).map(([key, value]) => [key, /\n/.test(value) ? "FILE" : value]);
  return flagsOf(Object.fromEntries(texts));
}

/** Returns a program with the results of examples; "" without examples. */
function codeOf(examples) {
  if (examples.length === 0) return "";
  const lines = examples.map(([set, url]) => `${callOf(set, url)}; // ${resultOf(set, url)}`);
  const program = ['import { normalize } from "urlmill";', "", ...lines];
  return ["```js", ...program, "```"].join("\n");
}

function callOf(set, url) {
  const options = Object.keys(set).length === 0 ? "" : `, { ${programOf(set)} }`;
  return `normalize(${JSON.stringify(url)}${options})`;
}

function resultOf(set, url) {
  try {
    return JSON.stringify(normalize(url, set));
  } catch (error) {
    // An error of a URL has a place. Any other is a mistake in an example.
    if (error.offset === -1) throw error;
    return `throws ${error.code}`;
  }
}
