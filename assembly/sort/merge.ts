/*
 * Merges sorted lines of streams, by a tree of losers that knows how many bytes each line has in common with the line that
 * was written last (Ng and Kakehi, 2008), so that most lines are compared by these numbers. The host reads streams into
 * their regions, and divides the memory.
 *
 *   streams      32 bytes each:
 *                  0  where the line begins that the stream gives next, or gave last  (32 bits)
 *                  4  its end, the place of its LF                                    (32 bits)
 *                  8  where the text that was read ends                               (32 bits)
 *                 12  how many bytes the line has in common with the one written last (32 bits)
 *                 16  READING, LAST if no more text can be read, DONE                 (32 bits)
 *                 20  1 if the host judges lines that are ODD                         (32 bits)
 *                 24  the lines so far                                                (64-bit float)
 *   tree         the winner, and the loser of each game: a number of 32 bits for each stream
 *   winners      two numbers of 32 bits for each stream, while the tree is made
 *
 * A stream begins with an empty line, which is not written.
 */
import { lineEnd, NONE, ODD, readLine } from "./line";
import { commonLength, copyText } from "./memory";

const END: usize = 4;
const TEXT_END: usize = 8;
const COMMON: usize = 12;
const STATE: usize = 16;
const JUDGED: usize = 20;
const LINES: usize = 24;

const LAST: u32 = 1;
const DONE: u32 = 2;

/** What `merge` returns: the host continues it, after the output is written, a stream is read on, or a line is judged. */
const GOES_ON: i32 = 0;
const FINISHED: i32 = 1;
const OUTPUT_FULL: i32 = 2;
const TEXT_READ: i32 = 3;
const LINE_ODD: i32 = 4;
const UNSORTED: i32 = 5;

let streams: usize = 0;
let tree: usize = 0;
let count: u32 = 0;
/** The streams whose first line was read, as long as the tree is not made. */
let begun: u32 = 0;
let isAccepted: bool = false;
/** Says that the line of the winner was written, and its next one is not there yet. */
let isWritten: bool = false;
let copied: usize = 0;

/** The stream that the last answer is about. */
export let current: i32 = 0;
/** Where the output ends that was written. */
export let written: usize = 0;

export function beginMerge(at: usize, number: i32): void {
  streams = at;
  count = <u32>number;
  tree = at + ((<usize>count) << 5);
  begun = 0;
  current = 0;
  isAccepted = false;
  isWritten = false;
  copied = 0;
}

function streamAt(number: u32): usize {
  return streams + ((<usize>number) << 5);
}

/** Accepts the odd line of the current stream. */
export function keepStreamLine(): void {
  isAccepted = true;
}

/** Leaves out the odd line of the current stream. Returns whether it could: no line of the stream came before. */
export function dropStreamLine(): bool {
  const stream = streamAt(current);
  if (load<u32>(stream) !== load<u32>(stream, END)) return false;
  store<u32>(stream, <u32>lineEnd);
  store<u32>(stream, <u32>lineEnd, END);
  store<f64>(stream, load<f64>(stream, LINES) + 1, LINES);
  return true;
}

/** Merges until the host must do something. Writes to [to, end), and PAD bytes after it. */
export function merge(to: usize, end: usize): i32 {
  written = to;
  for (; begun < count; begun++) {
    current = begun;
    const state = advance(streamAt(begun));
    if (state !== GOES_ON) return state;
    if (begun === count - 1) makeTree();
  }
  let winner = load<u32>(tree);
  while (load<u32>(streamAt(winner), STATE) !== DONE) {
    const stream = streamAt(winner);
    if (!isWritten) {
      if (!write(stream, end)) return OUTPUT_FULL;
      isWritten = true;
    }
    current = winner;
    const state = advance(stream);
    if (state !== GOES_ON) return state;
    isWritten = false;
    play(winner);
    winner = load<u32>(tree);
  }
  return FINISHED;
}

/** Writes the line of a stream. Returns whether there was room. */
function write(stream: usize, end: usize): bool {
  const from = <usize>load<u32>(stream) + copied;
  const left = <usize>load<u32>(stream, END) + 1 - from;
  const length = min(left, end - written);
  copyText(written, from, length);
  written += length;
  copied = length === left ? 0 : copied + length;
  return length === left;
}

/** Goes on to the next line of a stream. */
function advance(stream: usize): i32 {
  const before = <usize>load<u32>(stream);
  const end = <usize>load<u32>(stream, END);
  const textEnd = <usize>load<u32>(stream, TEXT_END);
  const at = end + 1;
  if (at >= textEnd && load<u32>(stream, STATE) === LAST) {
    store<u32>(stream, DONE, STATE);
    return GOES_ON;
  }
  const found = readLine(at, textEnd);
  if (found === NONE) return TEXT_READ;
  const length = lineEnd - at;
  const most = min(end - before, length);
  const common = commonLength(before, at, most);
  const isLess =
    common === most ? length < end - before : load<u8>(at + common) < load<u8>(before + common);
  if (isLess) return UNSORTED;
  if (found === ODD && load<u32>(stream, JUDGED) !== 0 && !isAccepted) return LINE_ODD;
  isAccepted = false;
  store<u32>(stream, <u32>at);
  store<u32>(stream, <u32>lineEnd, END);
  store<u32>(stream, <u32>common, COMMON);
  store<f64>(stream, load<f64>(stream, LINES) + 1, LINES);
  return GOES_ON;
}

/** Lets the first lines of all streams play. None has anything in common with the empty line before it. */
function makeTree(): void {
  const winners = tree + ((<usize>count) << 2);
  for (let node = count * 2 - 1; node > 0; node--) {
    const place = winners + ((<usize>node) << 2);
    if (node >= count) {
      store<u32>(place, node - count);
      continue;
    }
    const one = load<u32>(winners + ((<usize>node) << 3));
    const other = load<u32>(winners + ((<usize>node) << 3), 4);
    const isFirst = wins(one, other);
    store<u32>(place, isFirst ? one : other);
    store<u32>(tree + ((<usize>node) << 2), isFirst ? other : one);
  }
  store<u32>(tree, load<u32>(winners, 4));
}

/** Lets the next line of a stream play, whose line before it was written last. */
function play(stream: u32): void {
  let winner = stream;
  for (let node = (stream + count) >> 1; node > 0; node >>= 1) {
    const place = tree + ((<usize>node) << 2);
    const loser = load<u32>(place);
    if (wins(winner, loser)) continue;
    store<u32>(place, winner);
    winner = loser;
  }
  store<u32>(tree, winner);
}

/**
 * Returns whether the line of a stream comes first, or is the same as that of another. Both come after the line that was
 * written last: the one that has more in common with it comes first. Notes what the loser has in common with the winner.
 */
function wins(number: u32, otherNumber: u32): bool {
  const stream = streamAt(number);
  const other = streamAt(otherNumber);
  if (load<u32>(other, STATE) === DONE) return true;
  if (load<u32>(stream, STATE) === DONE) return false;
  const common = <usize>load<u32>(stream, COMMON);
  const otherCommon = <usize>load<u32>(other, COMMON);
  if (common !== otherCommon) return common > otherCommon;
  const at = <usize>load<u32>(stream);
  const otherAt = <usize>load<u32>(other);
  const length = <usize>load<u32>(stream, END) - at;
  const otherLength = <usize>load<u32>(other, END) - otherAt;
  const most = min(length, otherLength);
  const same = common + commonLength(at + common, otherAt + common, most - common);
  const isFirst =
    same === most ? length <= otherLength : load<u8>(at + same) < load<u8>(otherAt + same);
  store<u32>(isFirst ? other : stream, <u32>same, COMMON);
  return isFirst;
}
