// Puts test files in the order in which they are likely to find a change soon.
import { folderOf } from "./changes.mjs";

/** The share of the time of all files that those take which are tried first: most changes are found by one of them. */
const FIRST = 1 / 3;

/** Remembers which test files found the changes before. */
export class Order {
  #measured;
  #found = new Map();

  /** `measured`: files, how long each takes, and the tests that it leaves out. */
  constructor(measured) {
    this.#measured = measured;
  }

  /**
   * Returns the files for a change, those to try first and the rest: first those that found most in a second, those of the
   * same source or folder above all, or whose names have a word of its path.
   */
  for(source) {
    const words = wordsOf(source);
    const worth = ({ file, ms }) => {
      const named = wordsOf(file).filter((word) => words.includes(word)).length;
      const own =
        20 * this.#count(`${source} ${file}`) + 5 * this.#count(`${folderOf(source)} ${file}`);
      return (1 + 8 * named + this.#count(file) + own) / (ms + 200);
    };
    const files = this.#measured.toSorted((a, b) => worth(b) - worth(a));
    const most = FIRST * this.#measured.reduce((sum, { ms }) => sum + ms, 0);
    let sum = 0;
    const isFirst = ({ ms }, at) => {
      sum += ms;
      return at === 0 || sum <= most;
    };
    const count = files.filter(isFirst).length;
    return { first: files.slice(0, count), rest: files.slice(count) };
  }

  /** Returns the files of which a test does not run in this process. */
  get incomplete() {
    return this.#measured.filter(({ skipped }) => skipped.length > 0).map(({ file }) => file);
  }

  /** Says that a file found a change of a source. */
  add(source, file) {
    for (const key of [file, `${source} ${file}`, `${folderOf(source)} ${file}`]) {
      this.#found.set(key, this.#count(key) + 1);
    }
  }

  /** Returns after how many milliseconds a file does not end: ten times as long as it takes, and more under load. */
  limitOf(file) {
    const { ms } = this.#measured.find((each) => each.file === file);
    return 15_000 + 10 * ms;
  }

  #count(key) {
    return this.#found.get(key) ?? 0;
  }
}

/** Returns the words of a path that may say what it is about. */
function wordsOf(path) {
  return path.split(/\W+/).filter((word) => !["assembly", "test", "ts", "url"].includes(word));
}
