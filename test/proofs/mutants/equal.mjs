// Changes that no test can find, each with the reason. `npm run proof mutants` does not try them.

const REFUSED = "an end before the beginning is a label without code points, which is refused";
const SET_BEFORE_READ = "the variable is set before it is read";
const SLOWER = "the row takes the way of all others, which gives the same";

/** What a change is, as `npm run proof mutants` prints it, and why it changes no result. */
export const EQUAL = new Map([
  [
    "assembly/url/idna/punycode.ts if (n [> → >=] LARGEST_CODE) return 0;",
    "U+10FFFF is in no valid label",
  ],
  ["assembly/url/idna/punycode.ts if (i > LARGEST) return [0 → 1];", REFUSED],
  [
    "assembly/options/rest.ts const aliases: u32 = aliasTable === [0 → 1] ? 0 : slotCount(aliasTable);",
    "without a table no host takes an alias, so the number is not asked for",
  ],
  ["assembly/lists/hosts.ts let filterShift: u32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/row.ts let readStart: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/scan/scan.ts if (end - p [< → <=] 8) return 0;", SLOWER],
  [
    "assembly/url/url.ts return (head & [0x00ffffffffffffff → 0x100000000000000]) === 0x002f2f3a70747468 ? 7 : 0;",
    SLOWER,
  ],
]);
