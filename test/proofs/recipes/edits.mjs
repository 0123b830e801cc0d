/** Returns a text with more before its only `mark`. */
export const before = (mark, added) => (text) => replaced(text, mark, `${added}${mark}`);

/** Returns a text with more after its only `mark`. */
export const after = (mark, added) => (text) => replaced(text, mark, `${mark}${added}`);

/** Returns a text with more at its end. */
export const atEnd = (added) => (text) => `${text ?? ""}${added}`;

/** Does several edits of a text, one after the other. */
export const all =
  (...edits) =>
  (text) =>
    edits.reduce((edited, edit) => edit(edited), text);

function replaced(text, mark, other) {
  const [begin, end, ...more] = text.split(mark);
  if (end === undefined || more.length > 0) {
    throw new Error(`the text has no ${JSON.stringify(mark)}, or several: change the proof`);
  }
  return begin + other + end;
}

/**
 * Reads the steps of a recipe of CONTRIBUTING.md: for each, the files and folders that it names before its colon. Throws if
 * the recipe counts its files otherwise.
 */
export function stepsOf(contributing, heading) {
  const [, rest] = contributing.split(`\n## ${heading}\n`);
  if (rest === undefined) throw new Error(`CONTRIBUTING.md has no recipe "${heading}"`);
  const [section] = rest.split("\n## ");
  const steps = [...section.matchAll(/^\d+\. ((?:.|\n {3})*)/gm)].map(([, step]) =>
    [...step.split(/:\s/, 1)[0].matchAll(/`([^`]+)`/g)].map(([, path]) => path),
  );
  const [, number] = /takes (\w+) files? by hand/.exec(section) ?? [];
  if (NUMBERS.indexOf(number) !== steps.length) {
    throw new Error(
      `"${heading}" says that it takes ${number} files, and has ${steps.length} steps`,
    );
  }
  return steps;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Throws unless each step of a recipe names what one of the edits changes, and each edit is named by a step. */
export function checkSteps(heading, steps, files) {
  const covers = (path, file) => file === path || (path.endsWith("/") && file.startsWith(path));
  const useless = steps.filter(
    (paths) => !paths.some((path) => files.some((file) => covers(path, file))),
  );
  const unnamed = files.filter((file) => !steps.flat().some((path) => covers(path, file)));
  if (useless.length + unnamed.length === 0) return;
  throw new Error(
    `"${heading}" in CONTRIBUTING.md and this proof differ: only the recipe names ${useless.flat().join(", ") || "nothing"}, only the proof changes ${unnamed.join(", ") || "nothing"}`,
  );
}
