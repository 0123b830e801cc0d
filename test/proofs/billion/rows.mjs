/*
 * Rows of URLs, 45 % of them known, of which a few numbers tell all: any row's URL and whether it is new, without the rows
 * before it. Of 20 rows in a line 11 are new. With a stride of 2, every other row is the first URL again, and the rest are so.
 */
const GROUP = 20;
const NEW = 11;
const WIDTH = 43;
const TEMPLATE = Buffer.from("https://www.h0000.example.org/a/b00000000c\n");
const HEX = Buffer.from("0123456789abcdef");

/** A permutation of 32 bits. */
export function mix(number) {
  let bits = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const isNewAt = (turn, place) => (place * 7 + turn) % GROUP < NEW;
/** For each turn of a group: how many rows before each place are new. */
const NEW_BEFORE = Array.from({ length: GROUP }, (_, turn) => {
  const counts = [0];
  for (let place = 0; place < GROUP; place++) {
    counts.push(counts[place] + Number(isNewAt(turn, place)));
  }
  return counts;
});

export class Rows {
  #seed;
  #stride;

  constructor(seed, stride = 1) {
    this.#seed = mix(seed);
    this.#stride = stride;
  }

  /** Returns how many URLs the rows before `row` have. */
  urlsBefore(row) {
    const own = Math.ceil(row / this.#stride);
    const group = Math.floor(own / GROUP);
    return group * NEW + NEW_BEFORE[this.#turn(group)][own % GROUP];
  }

  /** Returns a byte for each row: 1 if it is new. */
  answers(first, count) {
    const answers = new Uint8Array(count);
    let own = Math.ceil(first / this.#stride);
    for (let at = own * this.#stride - first; at < count; ) {
      const turn = this.#turn(Math.floor(own / GROUP));
      for (let place = own % GROUP; place < GROUP && at < count; place++, own++) {
        answers[at] = isNewAt(turn, place) ? 1 : 0;
        at += this.#stride;
      }
    }
    return answers;
  }

  /** Returns the URLs of rows as lines. */
  lines(first, count) {
    const answers = this.answers(first, count);
    let made = this.urlsBefore(first);
    return linesOf(count, (at) => (answers[at] === 1 ? made++ : this.#knownOf(first + at, made)));
  }

  /** Returns the number of the URL of a row that is not new. `made`: how many there are. */
  #knownOf(row, made) {
    return row % this.#stride === 0 ? mix(row ^ this.#seed) % made : 0;
  }

  /** The first row is new, for there is nothing that it could repeat. */
  #turn(group) {
    return group === 0 ? 0 : mix(group ^ this.#seed) % GROUP;
  }
}

/** Returns URLs as lines. `urlAt`: returns the number of each. */
export function linesOf(count, urlAt) {
  const lines = new Uint8Array(count * WIDTH);
  for (let at = 0; at < count; at++) {
    lines.set(TEMPLATE, at * WIDTH);
    writeUrl(lines, at * WIDTH, urlAt(at));
  }
  return lines;
}

/** Writes the number of a URL, in another order than it came, and the number of its site, which has 16,384 pages. */
function writeUrl(lines, at, url) {
  writeHex(lines, at + 40, 8, mix(url));
  writeHex(lines, at + 16, 4, url >>> 14);
}

function writeHex(lines, last, digits, number) {
  for (let digit = 0; digit < digits; digit++)
    lines[last - digit] = HEX[(number >>> (4 * digit)) & 15];
}
