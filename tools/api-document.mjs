// Makes docs/api.md: every public symbol with its doc comment, from the sources.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../src", import.meta.url));
/** Lists the entry points of the package, and the file of `src` that exports the symbols of each. */
const ENTRY_POINTS = {
  urlmill: "index.ts",
  "urlmill/js": "js.ts",
  "urlmill/pool": "pool/index.ts",
  "urlmill/seen": "seen/index.ts",
  "urlmill/seen/lmdb": "seen/lmdb.ts",
  "urlmill/seen/redis": "seen/redis.ts",
  "urlmill/crawlee": "crawlee/index.ts",
  "urlmill/arrow": "arrow/index.ts",
  "urlmill/learn": "learn/index.ts",
};
const EXPORTED = /^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)";/gm;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|const|class|interface|type) (\w+)/;
const MEMBER =
  /^ {2}(?:\| "|(?:(?:readonly|static|async|override|get|abstract) |\*)*)(\[?[A-Za-z][\w.]*\]?)/;

/** Returns the doc comment that ends above a line, without its marks; "" if there is none. */
function docAbove(lines, at) {
  if (!lines[at - 1]?.trimEnd().endsWith("*/")) return "";
  const begin = lines.findLastIndex((line, index) => index < at && /^\s*\/\*\*/.test(line));
  const comment = lines.slice(begin, at).join("\n");
  return comment
    .replace(/^\s*\/\*\*\s?/, "")
    .replace(/\s*\*\/$/, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .trim();
}

/** Returns a declaration as callers see it: from its line to the beginning of its body. */
function signatureAt(lines, at) {
  const rest = lines.slice(at, at + 20).join("\n");
  const end = /(?: \{|;)$/m.exec(rest);
  const text = end === null ? rest : rest.slice(0, end.index);
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\( | \)|, \)/g, (mark) => mark.replaceAll(/[ ,]/g, ""))
    .replace(/^ ?export (?:async )?(?:class|function\*?|const) /, "")
    .replace(/^ ?(?:async |override )+/, "")
    .trim();
}

/** Returns the symbols that a file declares. Classes and interfaces have the members that have a comment. */
function declaredIn(file) {
  const lines = readFileSync(join(source, file), "utf8").split("\n");
  const symbols = new Map();
  let owner = null;
  for (const [at, line] of lines.entries()) {
    const [, kind, name] = DECLARATION.exec(line) ?? [];
    const doc = docAbove(lines, at);
    if (name !== undefined) {
      owner = { file, kind, name, doc, signature: signatureAt(lines, at), members: new Map() };
      symbols.set(name, owner);
      if (kind.startsWith("function") || !/[{=]$/.test(line)) owner = null;
    } else if (/^[^\s]/.test(line)) owner = null;
    else if (owner !== null && doc !== "" && !doc.includes("@internal")) {
      const [, member] = MEMBER.exec(line) ?? [];
      if (member === undefined || owner.members.has(member)) continue;
      owner.members.set(member, { name: member, doc, signature: signatureAt(lines, at) });
    }
  }
  return symbols;
}

/** Returns the symbols that a file exports, also from other files, by name. */
function exportedBy(file) {
  const symbols = declaredIn(file);
  for (const [, names, path] of readFileSync(join(source, file), "utf8").matchAll(EXPORTED)) {
    const wanted =
      names === "*"
        ? null
        : new Set([...names.matchAll(/(?:type )?(\w+)\s*[,}]/g)].map(([, name]) => name));
    for (const [name, symbol] of exportedBy(join(dirname(file), path))) {
      if (wanted === null || wanted.has(name)) symbols.set(name, symbol);
    }
  }
  return symbols;
}

/** Returns a comment as Markdown: its text, then its examples as code. */
function markdownOf(doc) {
  const [text, ...parts] = doc.split(/^@(?=example|default|internal)/m);
  const examples = parts.filter((part) => part.startsWith("example"));
  const blocks = examples.map((part) => {
    const code = part.replace("example", "").trim();
    const reason = code.includes("redis://") ? "<!-- not run: a Redis server -->\n" : "";
    return `${reason}\`\`\`js\n${code}\n\`\`\``;
  });
  return [text.trim(), ...blocks].join("\n\n");
}

const firstSentence = (doc) => {
  const [text] = doc.split(/^@/m);
  const [sentence] = /^.*?[.:](?=\s|$)/s.exec(text.trim()) ?? [text.trim()];
  return sentence.replaceAll(/\s+/g, " ").replace(/:$/, ".");
};

const fieldsOf = (members) =>
  [...members.values()].map(({ name, doc }) => `- \`${name}\`: ${firstSentence(doc)}`);

const methodsOf = (owner, members) =>
  [...members.values()].flatMap(({ name, signature, doc }) => [
    `#### ${owner}: ${name}\n\n\`${signature}\``,
    markdownOf(doc),
  ]);

const byName = (a, b) => a.name.localeCompare(b.name, "en");

/**
 * Returns the section of an entry point. `documented` has the symbols of the sections before it; those of
 * this section are added.
 */
function sectionOf(entry, file, documented) {
  const exported = [...exportedBy(file).values()].filter(({ doc }) => doc !== "");
  const placeOf = (symbol) => `${symbol.file} ${symbol.name}`;
  const symbols = exported.filter((symbol) => !documented.has(placeOf(symbol)));
  const others = exported.filter((symbol) => documented.has(placeOf(symbol)));
  for (const symbol of symbols) documented.add(placeOf(symbol));
  const used = symbols.filter(({ kind }) => kind !== "interface" && kind !== "type");
  const types = symbols.filter(({ kind }) => kind === "interface" || kind === "type");
  const parts = used
    .sort(byName)
    .flatMap(({ name, kind, signature, doc, members }) => [
      kind.startsWith("function") ? `### ${name}\n\n\`${signature}\`` : `### ${name}`,
      markdownOf(doc),
      ...(kind === "const" ? [fieldsOf(members).join("\n")] : methodsOf(name, members)),
    ]);
  const list = types.sort(byName).map(({ name, doc, members }) => {
    const fields = fieldsOf(members).map((field) => `  ${field}`);
    return [`- **\`${name}\`**: ${firstSentence(doc)}`, ...fields].join("\n");
  });
  const all = list.length === 0 ? [...parts] : [...parts, `### Types of ${entry}`, list.join("\n")];
  if (others.length > 0) {
    const names = others.map(({ name }) => `\`${name}\``).join(", ");
    all.push(`Exports ${names} too, which are described above.`);
  }
  return [`## ${entry}`, ...all].join("\n\n");
}

/** Returns docs/api.md. */
export function apiDocument() {
  const documented = new Set();
  const sections = Object.entries(ENTRY_POINTS).map(([entry, file]) =>
    sectionOf(entry, file, documented),
  );
  const list = Object.keys(ENTRY_POINTS).map(
    (entry) => `- [${entry}](#${entry.replaceAll("/", "")})`,
  );
  return `${[
    "# API",
    "`npm run docs` writes this page from the doc comments, so that it says what your editor says. The tests run each example. Examples leave out imports, and `n` is `createNormalizer()`.",
    list.join("\n"),
    ...sections,
  ].join("\n\n")}\n`;
}
