// Writes src/url/idna/unicode-table.ts from the data of one Unicode version, which it installs from npm and PyPI
// into a temporary folder: `npm run unicode`. pack-unicode.mjs packs it, src/url/idna/unpack.ts unpacks it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { importSource } from "./import-source.mjs";
import { pack } from "./pack-unicode.mjs";

const UNICODE_VERSION = "18.0.0";
/**
 * Version 13.0 tells what every platform knows. tr46 has the IdnaMappingTable of UTS #46. @unicode has
 * categories, Bidi classes and joining types of its version.
 */
const PACKAGES = ["tr46@7.0.0", "@unicode/unicode-18.0.0@2.0.7", "@unicode/unicode-13.0.0@1.6.16"];
/** The package of PyPI that has the combining classes and the canonical decompositions, which those of npm lack. */
const PYTHON_PACKAGE = "unicodedata2==18.0.0";
/** Writes the version, and as lists of code point and value the combining classes and the canonical decompositions. */
const READ_PYTHON = `
import json, unicodedata2 as u
characters = [chr(code) for code in range(0x110000)]
parts = lambda text: [int(part, 16) for part in u.decomposition(text).split()]
print(json.dumps({
    "version": u.unidata_version,
    "combining": [(ord(c), u.combining(c)) for c in characters if u.combining(c)],
    "decompositions": [(ord(c), parts(c)) for c in characters if u.decomposition(c)[:1] not in ("", "<")],
}))`;

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
/** The joining types, in the order of their numbers in table.ts from 1. Their folders have what ArabicShaping.txt lists. */
const JOINING = { L: "Left_Joining", R: "Right_Joining", D: "Dual_Joining", T: "Transparent" };

const folder = mkdtempSync(join(tmpdir(), "urlmill-unicode-"));
try {
  const install = ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", folder];
  execFileSync("npm", [...install, ...PACKAGES], { stdio: "inherit" });
  const load = createRequire(join(folder, "index.js"));
  const ofPython = readPython(folder);
  for (const version of [load("tr46/package.json").unicodeVersion, ofPython.version])
    if (version !== UNICODE_VERSION) throw new Error(`a package has Unicode ${version}`);
  const codePoints = async (path) => {
    const package_ = `node_modules/@unicode/unicode-${UNICODE_VERSION}`;
    const file = join(folder, package_, path, "code-points.mjs");
    return [...(await import(pathToFileURL(file).href)).default];
  };
  await write(await build(load, codePoints, ofPython));
} finally {
  rmSync(folder, { recursive: true });
}

async function build(load, codePoints, ofPython) {
  const idna = readIdna(load("tr46/lib/mappingTable.json"), load("tr46/lib/statusMapping.js"));
  const marks = new Set(await codePoints("General_Category/Mark"));
  const combining = new Map(ofPython.combining);
  // Hangul syllables are composed by arithmetic.
  const decompositions = new Map(
    ofPython.decompositions.filter(([code]) => code < 0xac00 || code > 0xd7a3),
  );
  const bidi = await readProperty(codePoints, "Bidi_Class", BIDI);
  const joining = await readJoining(codePoints);
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

/** Returns joining types. Marks and formats that ArabicShaping.txt does not list are T, as its head says. */
async function readJoining(codePoints) {
  const listed = { ...JOINING, U: "Non_Joining", C: "Join_Causing" };
  const joining = await readProperty(codePoints, "Joining_Type", listed);
  for (const category of ["Nonspacing_Mark", "Enclosing_Mark", "Format"]) {
    for (const code of await codePoints(`General_Category/${category}`))
      if (!joining.has(code)) joining.set(code, "T");
  }
  return joining;
}

/** Returns what `READ_PYTHON` writes. `PYTHON` names another Python than `python3`. */
function readPython(folder) {
  const python = process.env["PYTHON"] ?? "python3";
  const target = join(folder, "python");
  const install = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--no-deps",
    "--target",
    target,
    PYTHON_PACKAGE,
  ];
  execFileSync(python, install, { stdio: "inherit" });
  const env = { ...process.env, PYTHONPATH: target };
  return JSON.parse(execFileSync(python, ["-c", READ_PYTHON], { env, maxBuffer: 2 ** 24 }));
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
  const table = new URL("unicode-table.ts", folder);
  writeFileSync(
    table,
    `// Written by tools/unicode-table.mjs from ${[...PACKAGES, PYTHON_PACKAGE].join(", ")}. Unicode data: Unicode License v3.\nimport type { PackedTable } from "./unpack.ts";\n\n/** Gives the hash of the table. */\nexport const tableHash = ${hash};\n/** Holds the table, packed. */\nexport const packedTable: PackedTable = {\n${texts.join("")}};\n`,
  );
  execFileSync("npx", ["biome", "format", "--write", fileURLToPath(table)]);
}
