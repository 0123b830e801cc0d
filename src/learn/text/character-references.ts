/** HTML 4's Latin-1 names, U+00A0 to U+00FF. HTML takes these without their semicolon too. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 " +
  "sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute " +
  "Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde " +
  "Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave " +
  "aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth " +
  "ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/** Other names that HTML takes without their semicolon. */
const LEGACY = "amp:26 AMP:26 lt:3c LT:3c gt:3e GT:3e quot:22 QUOT:22 COPY:a9 REG:ae";

/** The rest of HTML 4's names, and the ones of HTML 5 for ASCII and common symbols. */
const OTHERS =
  "apos:27 Tab:9 NewLine:a excl:21 num:23 dollar:24 percnt:25 lpar:28 rpar:29 ast:2a midast:2a plus:2b " +
  "comma:2c period:2e sol:2f colon:3a semi:3b equals:3d quest:3f commat:40 lsqb:5b lbrack:5b bsol:5c " +
  "rsqb:5d rbrack:5d Hat:5e lowbar:5f grave:60 lcub:7b lbrace:7b vert:7c verbar:7c rcub:7d rbrace:7d " +
  "NonBreakingSpace:a0 half:bd Amacr:100 amacr:101 Abreve:102 abreve:103 Aogon:104 aogon:105 " +
  "Cacute:106 cacute:107 Ccaron:10c ccaron:10d Dcaron:10e dcaron:10f Dstrok:110 dstrok:111 Emacr:112 " +
  "emacr:113 Eogon:118 eogon:119 Ecaron:11a ecaron:11b Gbreve:11e gbreve:11f Idot:130 imath:131 " +
  "Lstrok:141 lstrok:142 Nacute:143 nacute:144 Ncaron:147 ncaron:148 Odblac:150 odblac:151 OElig:152 " +
  "oelig:153 Rcaron:158 rcaron:159 Sacute:15a sacute:15b Scedil:15e scedil:15f Scaron:160 scaron:161 " +
  "Tcaron:164 tcaron:165 Umacr:16a umacr:16b Uring:16e uring:16f Udblac:170 udblac:171 Yuml:178 " +
  "Zacute:179 zacute:17a Zdot:17b zdot:17c Zcaron:17d zcaron:17e fnof:192 circ:2c6 caron:2c7 tilde:2dc " +
  "Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a " +
  "Lambda:39b Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 " +
  "Chi:3a7 Psi:3a8 Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 " +
  "theta:3b8 iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 " +
  "sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 thetasym:3d1 upsih:3d2 piv:3d6 " +
  "ensp:2002 emsp:2003 numsp:2007 puncsp:2008 thinsp:2009 hairsp:200a ZeroWidthSpace:200b zwnj:200c " +
  "zwj:200d lrm:200e rlm:200f hyphen:2010 dash:2010 ndash:2013 mdash:2014 horbar:2015 lsquo:2018 " +
  "rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 " +
  "bullet:2022 hellip:2026 mldr:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a " +
  "oline:203e frasl:2044 NoBreak:2060 euro:20ac image:2111 weierp:2118 real:211c trade:2122 " +
  "alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 crarr:21b5 lArr:21d0 uArr:21d1 " +
  "rArr:21d2 dArr:21d3 hArr:21d4 forall:2200 part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 " +
  "notin:2209 ni:220b prod:220f sum:2211 minus:2212 lowast:2217 radic:221a prop:221d infin:221e " +
  "ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 " +
  "ne:2260 equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 " +
  "otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:27e8 rang:27e9 " +
  "loz:25ca star:2606 starf:2605 phone:260e female:2640 male:2642 spades:2660 clubs:2663 hearts:2665 " +
  "diams:2666 check:2713 checkmark:2713 cross:2717";

/** What HTML's tokenizer takes `&#128;` to `&#159;` for: the characters of windows-1252. */
const WINDOWS_1252 =
  "20ac 81 201a 192 201e 2026 2020 2021 2c6 2030 160 2039 152 8d 17d 8f " +
  "90 2018 2019 201c 201d 2022 2013 2014 2dc 2122 161 203a 153 9d 17e 178";

const LONGEST_NAME = 16;
const LONGEST_LEGACY_NAME = 6;
const REPLACEMENT = "\ufffd";

const legacy = new Map<string, string>();
const named = new Map<string, string>();
for (const [at, name] of LATIN_1.split(" ").entries()) {
  legacy.set(name, String.fromCharCode(0xa0 + at));
}
for (const [list, names] of [[LEGACY, legacy] as const, [OTHERS, named] as const]) {
  for (const entry of list.split(" ")) {
    const [name = "", code = ""] = entry.split(":");
    names.set(name, String.fromCharCode(Number.parseInt(code, 16)));
  }
}
for (const [name, character] of legacy) named.set(name, character);
const windows1252 = WINDOWS_1252.split(" ").map((code) => Number.parseInt(code, 16));

/**
 * Decodes the character references of a text as HTML's tokenizer does outside of attributes (HTML
 * 13.2.5.72 to 13.2.5.80). Numeric ones may lack a semicolon; 0, surrogates and numbers past
 * U+10FFFF become U+FFFD, 128 to 159 are windows-1252. The named ones of HTML 4 and about a hundred
 * more are decoded; all others stay as they are. One pass: what a reference decodes to is not
 * decoded again.
 */
export function decodeCharacterReferences(text: string): string {
  let ampersand = text.indexOf("&");
  if (ampersand < 0) return text;
  const parts: string[] = [];
  let copied = 0;
  while (ampersand >= 0) {
    const isNumeric = text.charCodeAt(ampersand + 1) === 0x23;
    const found = isNumeric ? numeric(text, ampersand + 2) : byName(text, ampersand + 1);
    if (found !== null) {
      parts.push(text.slice(copied, ampersand), found.character);
      copied = found.end;
    }
    ampersand = text.indexOf("&", found?.end ?? ampersand + 1);
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

interface Found {
  readonly character: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** The reference whose `&#` ends at `at`. */
function numeric(text: string, at: number): Found | null {
  const isHex = (text.charCodeAt(at) | 0x20) === 0x78;
  const radix = isHex ? 16 : 10;
  const first = isHex ? at + 1 : at;
  let end = first;
  let code = 0;
  for (; ; end++) {
    const digit = digitOf(text.charCodeAt(end));
    if (digit >= radix) break;
    code = Math.min(code * radix + digit, 0x110000);
  }
  if (end === first) return null;
  return { character: characterOf(code), end: afterSemicolon(text, end) };
}

/** The value of a hexadecimal digit, or 99. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99;
}

function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT;
  return String.fromCodePoint(windows1252[code - 0x80] ?? code);
}

/** The reference whose `&` ends at `at`. */
function byName(text: string, at: number): Found | null {
  let end = at;
  while (end - at <= LONGEST_NAME && isAlphanumeric(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) === 0x3b) {
    const character = named.get(text.slice(at, end));
    if (character !== undefined) return { character, end: end + 1 };
  }
  for (let prefix = Math.min(end, at + LONGEST_LEGACY_NAME); prefix > at + 1; prefix--) {
    const character = legacy.get(text.slice(at, prefix));
    if (character !== undefined) return { character, end: prefix };
  }
  return null;
}

function isAlphanumeric(unit: number): boolean {
  const letter = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}

function afterSemicolon(text: string, at: number): number {
  return text.charCodeAt(at) === 0x3b ? at + 1 : at;
}
