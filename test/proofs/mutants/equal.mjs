// Changes that no test can find, each with the reason. `npm run proof mutants` does not try them.

const REFUSED = "an end before the beginning is a label without code points, which is refused";
const SET_BEFORE_READ = "the variable is set before it is read";
const SLOWER = "the row takes the way of all others, which gives the same";
const FILTER = "it only lets more through to an exact comparison";
const BOUND =
  "no row takes all of its bound: a domain is counted besides three bytes for each of its bytes";
const TABLE = "the table is larger, and what is compressed is the same when it is read";
const UNKNOWN = "the rows are UNKNOWN, and looked up by plain-finder.ts";
const AFTER_END = "a byte after the end is found at the end, as none is";
const COMPRESS = "the place of `::` is 1 at least";
const LARGER = "the room is larger than what is used of it";
const LIMIT = "it is a limit of work, which no plan of ours comes near";
const NOT_A_URL = "memory does not begin with the text of a URL";
const QUICK = "the quick check fails, and the exact way finds that nothing changes";

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
  [
    "assembly/template.ts const isAddress = host [< → <=] path && load<u8>(host) === LEFT_BRACKET;",
    "brackets outside of a host are encoded",
  ],
  [
    "assembly/site-rules/unwrap.ts return end [< → <=] targetEnd && load<u8>(end) === EQUALS ? end + 1 : 0;",
    "a value that begins after the end is no URL, as no value is",
  ],
  [
    "assembly/site-rules/unwrap.ts if (end [- → +] p < 8 || (load<u32>(p) | 0x20202020) !== 0x70747468) return false;",
    "a text of fewer bytes has no host, and is refused when it is read",
  ],
  [
    "assembly/site-rules/unwrap.ts if (stop !== [0 → 1] && stop - start <= longest) {",
    "0 less the beginning is above the limit",
  ],
  [
    "assembly/site-rules/unwrap.ts [resetReasons(before); → nothing]",
    "the row is explained step by step, which tells the same",
  ],
  [
    "assembly/site-rules/unwrap.ts return end < targetEnd && load<u8>(end) === EQUALS ? end + 1 : [0 → 1];",
    NOT_A_URL,
  ],
  ["assembly/site-rules/unwrap.ts return [0 → 1];", NOT_A_URL],
  ["assembly/site-rules/unwrap.ts if (value === [0 → 1]) return false;", NOT_A_URL],
  ["assembly/lists/hosts.ts let filterShift: u32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/row.ts let readStart: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/scan/scan.ts if (end - p [< → <=] 8) return 0;", SLOWER],
  [
    "assembly/url/url.ts return (head & [0x00ffffffffffffff → 0x100000000000000]) === 0x002f2f3a70747468 ? 7 : 0;",
    SLOWER,
  ],
  [
    "assembly/memory.ts const LONGEST_ASCII_DOMAIN: i32 = LONGEST_DOMAIN [* → +] LONGEST_CODE;",
    "four bytes for each byte and 2 KiB still hold each domain: labels `㍿` take the most, 818 bytes more than four for each",
  ],
  [
    "assembly/memory.ts const merged = place(rowBound(longest, baseBytes, planLength) [+ → -] PAD);",
    BOUND,
  ],
  ["assembly/results.ts export let written: i32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/tables.ts if (hasPrefixes && (prefixes [& → |] lengthBit(length)) !== 0) {", FILTER],
  [
    "assembly/disk/memory.ts return pages [<= → <] 0 || memory.grow(pages) >= 0;",
    "growing by no page is no failure",
  ],
  [
    "assembly/disk/merge.ts for (; count > 0 && target [<= → <] end; count--) {",
    "the last distance of a block is written by the caller then, alike",
  ],
  [
    "assembly/disk/rows.ts return ((<u64>load<u8>(row, HIGH)) << 56) | (load<u64>(row) >> [8 → 9]);",
    "the prefix still ascends with the key, and rows near their places are sorted after it",
  ],
  ["assembly/lists/find-hosts.ts const HTTP: u32 = [0x70747468 → 0x70747469];", UNKNOWN],
  ["assembly/lists/find-hosts.ts export const SCRATCH: usize = (24 + [4 → 5]) * 512;", LARGER],
  [
    "assembly/lists/find-hosts.ts return (load<u64>(row) & [0xffffffffffffff → 0x100000000000000]) === FILE ? row + 7 : 0;",
    UNKNOWN,
  ],
  [
    "assembly/lists/hosts.ts const bits = ((<u32>1) << (hash >> 1)) | ((<u32>1) [<< → >>] (hash >> 6)) | ((<u32>1) << (hash >> 11));",
    FILTER,
  ],
  ["assembly/options/host.ts export let hostStart: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/options/param-slices.ts for (let at: usize = 0; at [< → <=] length; at += 16) {",
    "a difference after the end of the shorter one is not counted",
  ],
  [
    "assembly/options/param-slices.ts return pieceCount === 1 && pieceStart(0) === pieceEnd([0 → 1]);",
    "two reasons that left one empty piece are told, in the place of none; both are what explain lists",
  ],
  [
    "assembly/options/rest.ts let added: i32 = [0 → 1];",
    "a host that gains www. a second time before an alias has lost it in between, and moves in a circle",
  ],
  [
    "assembly/options/session.ts while (p [< → <=] end && isIdByte(load<u8>(p))) p++;",
    "the byte at the end is `)`, which is in no id",
  ],
  [
    "assembly/options/sort-pieces.ts const isSame = sum !== ((count * (count - 1)) >> 1) + ((count [& → |] 7) === 0 ? 0 : count);",
    "pieces with different heads are sorted by insertion too, which leaves them as they are",
  ],
  [
    "assembly/options/sort-pieces.ts const RANKS: usize = ((<usize>MANY) << [2 → 3]) + 32;",
    "counts and ranks are further apart, in a region that has room for 64 Ki pieces",
  ],
  ["assembly/pages/compress.ts let bytes: u32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/pages/compress.ts return min(TABLE_BITS, [32 → 33] - clz<u32>(length));", TABLE],
  ["assembly/pages/memory.ts export const TABLE_BITS: u32 = [14 → 15];", TABLE],
  [
    "assembly/pages/memory.ts export const table: usize = (__heap_base + [15 → 16]) & ~(<usize>15);",
    "the table may begin 16 bytes later",
  ],
  [
    "assembly/records/json.ts const UNSURE: i32 = -[2 → 3];",
    "it is a number that no step has, whichever",
  ],
  [
    "assembly/records/separated.ts return fields > wanted && (widths === 0 || (fields < [32 → 33] && ((widths >> fields) & 1) !== 0));",
    "for 32 fields it reads the bit for none, which no plan of columns has",
  ],
  [
    "assembly/records/interleave.ts if (lanes !== 0 [&& → ||] p + <usize>ctz(lanes) < to) return true;",
    "the host looks at the row, and finds nothing to escape",
  ],
  [
    "assembly/scan/clean.ts if (isColumn) others |= (<u32>(rowEnd - host < 32)) [<< → >>] (<u32>(rowEnd - host));",
    SLOWER,
  ],
  ["assembly/scan/clean.ts if (isColumn [|| → &&] stopAt !== stopsEnd) {", SLOWER],
  ["assembly/scan/clean.ts if (isColumn || stopAt [!== → ===] stopsEnd) {", SLOWER],
  ["assembly/scan/clean.ts const isInside = isColumn ? <u32>(hostEnd < rowEnd) : [1 → 2];", SLOWER],
  ["assembly/scan/scan.ts const host = p + 7 [+ → -] <usize>isHttps;", SLOWER],
  [
    "assembly/scan/scan.ts export let missingSlash: usize = [0 → 1];",
    "before the first row is scanned, a row takes the exact path, which sets its own reasons",
  ],
  ["assembly/scan/stops.ts let lastWord: u32 = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/set/partitions.ts for (let partition = partitions - 1; partition [> → >=] 0; partition--)",
    "the end of the first partition is set to 0 after that",
  ],
  [
    "assembly/set/seen.ts for (let from = moved; from [< → <=] stop; from += entryBytes) {",
    "the place after is empty, or holds an entry whose home it is, which returns there",
  ],
  ["assembly/set/surts.ts let authority: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/site-rules/block.ts export let pathLength: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/site-rules/block.ts [store<u64>(slot, askedValues, 24); → nothing]",
    "answers are kept for URLs without values alone; those of URLs with more bits have more rules, and each is looked at",
  ],
  ["assembly/site-rules/match.ts let stop: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/site-rules/match.ts return findText(firstText(pattern), targetStart, targetEnd) !== [0 → 1];",
    FILTER,
  ],
  [
    "assembly/site-rules/params.ts return paramCount === 1 [&& → ||] paramStart(piecesStart) === paramEnd(piecesStart);",
    "the URL is read again, which leaves it as it is",
  ],
  [
    "assembly/site-rules/ruled-url.ts if (lanes !== 0) return p [+ → -] <usize>ctz(lanes) < pathEnd;",
    "lower is tried where no letter of the path is upper-case, and changes nothing",
  ],
  [
    "assembly/site-rules/sites.ts lastSite = [0 → 1];",
    "at address 1 is a name of no bytes, which no site has",
  ],
  [
    "assembly/sort/memory.ts for (let at: usize = 0; at [< → <=] length; at += 16) v128.store(to + at, v128.load(from + at));",
    "what is after the text is written next, or means nothing",
  ],
  [
    "assembly/sort/merge.ts same === most ? length [<= → <] otherLength : load<u8>(at + same) < load<u8>(otherAt + same);",
    "of two lines that are the same, the other one is written first",
  ],
  [
    "assembly/sort/run.ts while (room() [>= → >] ENTRY) {",
    "a run ends one line earlier, and runs are merged",
  ],
  [
    "assembly/url/chars.ts return ((high | low) & NO_DIGIT) === [0 → 1] && !hasClass((high << 4) | low, UNRESERVED);",
    SLOWER,
  ],
  ["assembly/url/component.ts for (; p [< → <=] end; p += 16) {", AFTER_END],
  ["assembly/url/component.ts for (; p [< → <=] end; p += 16) { (2)", AFTER_END],
  ["assembly/url/component.ts for (; p [< → <=] end; p += 16) { (3)", AFTER_END],
  [
    "assembly/url/host.ts if (p [< → <=] end && load<u8>(p) === LEFT_BRACKET) return writeBracketed(p, end, out);",
    "a host of no bytes is refused, or written, before",
  ],
  [
    "assembly/url/host.ts if (stop === [0 → 1] || !endsInNumber(out, stop)) return stop;",
    "a failure ends before it begins, so it has no last label",
  ],
  [
    "assembly/url/host.ts store<u8>(out++, toLower(value < [0 → 1] ? load<u8>(p) : <u8>value));",
    "the byte 0 is as forbidden as the `%` in its place",
  ],
  ["assembly/url/ipv6.ts if (compress [>= → >] 0) return p;", COMPRESS],
  ["assembly/url/ipv6.ts if (compress [>= → >] 0) {", COMPRESS],
  [
    "assembly/url/ipv6.ts for (let i = 0; i [< → <=] 8; i++) { (2)",
    "from the eighth piece on, a run has no pieces, and is not the longest",
  ],
  ["assembly/url/sets.ts [add(DOMAIN, byte); → nothing]", SLOWER],
  ["assembly/url/sets.ts [add(PLAIN, byte); → nothing]", SLOWER],
  ["assembly/urlkey/query.ts if (lanes !== 0) return p [+ → -] <usize>ctz(lanes) < end;", FILTER],
  ["assembly/urlkey/urlkey.ts let hostFrom: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/urlkey/urlkey.ts let colon: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/url/idna/domain-to-ascii.ts if (!readLabel(label, stop, isPlain)) return [0 → 1];",
    "every address up to where the domain begins is a failure",
  ],
  ["assembly/url/idna/nfc.ts for (; p [< → <=] end; p += 4) {", QUICK],
  [
    "assembly/url/idna/nfc.ts if (combiningClass !== 0 [&& → ||] combiningClass < classBefore) return false;",
    QUICK,
  ],
  [
    "assembly/url/idna/nfc.ts let starter: usize = [0 → 1];",
    "the word at address 1 is 0, with which nothing composes",
  ],
  [
    "assembly/url/idna/punycode.ts if (k [<= → <] bias + T_MIN) return T_MIN;",
    "there k - bias is T_MIN",
  ],
  ["assembly/memory.ts export let textStart: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/site-rules/apply.ts if (exceptions !== [0 → 1] && makesException(exceptions)) return false;",
    "at address 0 is a table without URLs",
  ],
  [
    "assembly/site-rules/actions.ts isTooLong = textEnd(text) - textStart(text) [> → >=] LONGEST_RULED;",
    "with the host before it, the URL is too long then, too",
  ],
  [
    "assembly/url/idna/nfc.ts if (syllable [< → <=] S_COUNT && syllable % T_COUNT === 0 && t - 1 < T_COUNT - 1) return first + t;",
    "U+D7A4, which is after the syllables, is disallowed",
  ],
  ["assembly/url/host.ts const hasTriplets = find(p, end, PERCENT) [< → <=] end;", SLOWER],
  [
    "assembly/urlkey/urlkey.ts if (end [- → +] question < 2) return out;",
    "a query of no bytes is written, and then left out as an empty one is",
  ],
  [
    "assembly/options/sort-pieces.ts for (let i = (pieceCount [>> → <<] 1) - 1; i >= 0; i--) sift(i, pieceCount);",
    "what is after the first half has no children, and stays where it is",
  ],
  [
    "assembly/url/ipv6.ts if (p [< → <=] end && load<u8>(p) === DOT) {",
    "the byte at the end is `]`",
  ],
  ["assembly/sort/run.ts let low: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/sort/run.ts let next: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/records/memory.ts export const froms: usize = align(starts + ((<usize>ROWS + 1) << [2 → 3]));",
    LARGER,
  ],
  [
    "assembly/pages/memory.ts return pages [<= → <] 0 || memory.grow(pages) >= 0 ? 1 : 0;",
    "growing by no page is no failure",
  ],
  [
    "assembly/batch.ts let next: usize = text [=== → !==] 0 ? 0 : lineEnd(text, end, final);",
    SLOWER,
  ],
  [
    "assembly/url/host-reasons.ts if (tripletValue(p, end) [>= → >] 0) p += 3;",
    "no host has `%00`, and its digits are no letters",
  ],
  [
    "assembly/options/host.ts return hostEnd - hostStart [> → >=] 4 && load<u32>(hostStart) === WWW_DOT;",
    "`www.` has no second label, so it stays in both ways",
  ],
  ["assembly/check-plan.ts const READINGS: i64 = [16 → 17];", LIMIT],
  [
    "assembly/site-rules/apply.ts if (woken === 0) return [0 → 1];",
    "a rule that nothing woke leaves the URL as it is when it is looked at again",
  ],
  [
    "assembly/url/idna/nfc.ts for (; hole [> → >=] start; hole -= 4) {",
    "only a mark would move before the first code point, and a domain that begins with a mark is refused",
  ],
  ["assembly/url/sets.ts const isUpper = byte - 0x41 < [26 → 27];", "`[` is not unreserved"],
  ["assembly/scan/scan.ts return label < p && load<u8>(label) [>= → >] 0x61 ? p : 0;", SLOWER],
  ["assembly/sort/line.ts let wanted: i32 = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/url/host-reasons.ts if (tripletValue(p, end) >= [0 → 1]) p += 3;",
    "no host has `%00`, and its digits are no letters",
  ],
  [
    "assembly/scan/stops.ts return endsByOffset<E>() && at [=== → !==] end ? <u8>LF : load<u8>(at);",
    SLOWER,
  ],
  [
    "assembly/disk/find.ts for (let left = countOf(block); left [> → >=] 0; left--, at += width) {",
    "zeros follow the last distance, and a checksum follows a full block",
  ],
  [
    "assembly/records/interleave.ts for (let row = first; row [< → <=] rows; row++) {",
    "it returns the number of rows in both ways",
  ],
  ["assembly/scan/clean.ts const isHttp = (head [& → |] SEVEN_BYTES) === http;", SLOWER],
  ["assembly/memory.ts export let normalStart: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/disk/merge.ts let left: i32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/scan/stops.ts const nibble = splat([15 → 16]);", SLOWER],
  [
    "assembly/scan/clean.ts if (isColumn) others |= (<u32>(rowEnd - host < 32)) << (<u32>(rowEnd [- → +] host));",
    SLOWER,
  ],
  ["assembly/scan/clean.ts export let rowAfter: i32 = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/records/separated.ts hasLetters = (flags & [4 → 5]) !== 0;",
    "the row is UNCLEAR, and read again by the reader, which knows headers",
  ],
  [
    "assembly/url/idna/unicode.ts let high = PAIR_COUNT [- → +] 1;",
    "what follows the pairs is greater than each of them",
  ],
  [
    "assembly/url/ipv4.ts if (end [- → +] p > 1 && load<u8>(p) === ZERO) {",
    "`0` alone is 0 in both bases",
  ],
  [
    "assembly/url/host.ts return byte [< → <=] SPACE || byte === PERCENT || byte === DELETE || hasClass(byte, FORBIDDEN_HOST);",
    "a space is forbidden by its class, too",
  ],
  ["assembly/url/base.ts export let baseHeadEnd: usize = [0 → 1];", SET_BEFORE_READ],
  ["assembly/url/sets.ts const isAsked = byte === 0x23 || byte [=== → !==] 0x3b;", SLOWER],
  [
    "assembly/site-rules/settle.ts const RESTLESS: i32 = [2 → 3];",
    "it is compared with itself alone",
  ],
  [
    "assembly/check-plan.ts return (at & 3) === 0 && <u64>at + bytes <= <u64>planBytes && left >= [0 → 1];",
    LIMIT,
  ],
  ["assembly/disk/block.ts let partition: u8 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/records/memory.ts const PAD: usize = [64 → 65];", LARGER],
  [
    "assembly/lanes.ts for (let shift: u64 = 0; shift [< → <=] 64; shift += 8) {",
    "shifts count modulo 64, so the first byte is written once more",
  ],
  [
    "assembly/set/surts.ts const more = min(longest + ROOM, outputEnd - last [- → +] moved);",
    "the output of a window is larger than all of its forms by more than ROOM",
  ],
  ["assembly/site-rules/ruled-url.ts let fragmentEnd: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/url/idna/domain-to-ascii.ts const isPlain = (flags [& → |] HAS_CONTEXT) === 0;",
    QUICK,
  ],
  [
    "assembly/scan/clean.ts if (isColumn) others |= (<u32>(rowEnd [- → +] host < 32)) << (<u32>(rowEnd - host));",
    SLOWER,
  ],
  [
    "assembly/site-rules/ruled-url.ts if (lanes !== 0) return p + <usize>ctz(lanes) [< → <=] pathEnd;",
    FILTER,
  ],
  [
    "assembly/lists/find-hosts.ts return isShort && load<u8>(end) === [0x2f → 0x30] && load<u8>(end - 1) !== 0x2e;",
    UNKNOWN,
  ],
  [
    "assembly/lists/find-hosts.ts const isShort = end [- → +] start <= LONGEST_HOST && end < rowEnd;",
    UNKNOWN,
  ],
  ["assembly/url/sets.ts if (byte !== 0x3f && byte [!== → ===] 0x3b && byte !== 0x28) {", SLOWER],
  [
    "assembly/check-plan.ts if (length - done [< → <=] 16) others &= (1 << (length - done)) - 1;",
    "16 of 16 lanes count then",
  ],
  ["assembly/memory.ts const ROW_SLACK: usize = [64 → 65] + LONGEST_ASCII_DOMAIN;", LARGER],
  [
    "assembly/site-rules/block.ts store<u64>(slot, head, [8 → 9]);",
    "the next look-up does not find it, and compares again",
  ],
  [
    "assembly/site-rules/settle.ts const length = stop [- → +] ruledText;",
    "the next pass finds that the rules leave the URL",
  ],
  [
    "assembly/url/sets.ts if (!isAsked && byte !== 0x3f && byte [!== → ===] 0x28) add(WRITTEN_PLAIN, byte);",
    SLOWER,
  ],
  [
    "assembly/check-plan.ts if (length - done < 16) others &= (1 << (length [- → +] done)) - 1;",
    "shifts count modulo 32, and `done` is a multiple of 16",
  ],
  ["assembly/scan/query-scan.ts if (byte [!== → ===] AMPERSAND && byte !== LF) {", SLOWER],
  [
    "assembly/urlkey/host.ts while (p < hostEnd && !(load<u8>(p) === DOT && p + [1 → 2] < hostEnd && load<u8>(p + 1) === DOT)) p++;",
    "dots at the end go all the same",
  ],
  ["assembly/scan/clean.ts const host = p + 7 [+ → -] <usize>isHttps;", SLOWER],
  [
    "assembly/set/surts.ts for (; p [< → <=] end; p += 16) v128.store(p - distance, v128.load(p));",
    "the bytes after the end are put back, and none is read before",
  ],
  ["assembly/memory.ts export let stopsStart: usize = [0 → 1];", SET_BEFORE_READ],
  [
    "assembly/sort/memory.ts return pages <= 0 || memory.grow(pages) >= [0 → 1];",
    "the memory has pages before it grows",
  ],
  ["assembly/url/idna/nfc.ts if ((flags [& → |] COMPOSES) !== 0) return false;", QUICK],
  ["assembly/disk/merge.ts let inputNumber: u32 = [0 → 1];", SET_BEFORE_READ],
  ["assembly/sort/sort-entries.ts seed ^= seed << [5 → 6];", "other entries are drawn"],
  [
    "assembly/url/idna/nfc.ts let classBefore: u32 = [0 → 1];",
    "a class that is not 0 is not below 1",
  ],
  [
    "assembly/scan/scan.ts if (!isHttps && !isFile && (head [& → |] SEVEN_BYTES) !== HTTP_HEAD) return 0;",
    SLOWER,
  ],
  [
    "assembly/tables.ts for (let at = end; at > p && end - at [< → <=] longest && out > last; ) {",
    "no name is longer than the longest",
  ],
  ["assembly/memory.ts const normal = place(row [+ → -] PAD);", BOUND],
  [
    "assembly/records/memory.ts return end [<= → <] has || memory.grow(<i32>((end - has + <u64>PAGE - 1) >> 16)) >= 0;",
    "growing by no page is no failure",
  ],
  ["assembly/records/json.ts } while (byte [>= → >] 0x80);", SLOWER],
  [
    "assembly/check-plan.ts const length: i64 = kind === ELEMENT_KIND.SEGMENT ? [0 → 1] : <i64>word(element + ELEMENT.LENGTH);",
    "a segment has one byte at least in both ways",
  ],
  [
    "assembly/disk/merge.ts for (; count > [0 → 1] && target <= end; count--) {",
    "the last distance of a block is written by the caller then, alike",
  ],
  [
    "assembly/scan/site-filter.ts const two: u32 = (1 [<< → >>] (hash & 31)) | (1 << ((hash >> 5) & 31));",
    FILTER,
  ],
  [
    "assembly/url/host-reasons.ts else if (<u8>(load<u8>(p++) - 0x41) < [26 → 27]) note(BY_HOST_CASE);",
    "no domain has `[`",
  ],
  [
    "assembly/url/idna/punycode.ts const INITIAL_BIAS: u32 = [72 → 73];",
    "it is compared with multiples of 36, to which 73 is as 72",
  ],
  [
    "assembly/options/sort-pieces.ts store<i32>(heads + (i << 2), load<i32>(pieces + (i << 4), 4) [^ → |] i32.MIN_VALUE);",
    "the first byte of a name is ASCII",
  ],
]);
