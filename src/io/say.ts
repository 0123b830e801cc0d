import { standardStreams } from "./standard.ts";
import { visible } from "./text/visible.ts";
import { wrap } from "./text/wrap.ts";

const ignore = (): void => {};

/** Characters of a longer sentence that are shown: its beginning, and its end, which may say what to do. */
const SHOWN_START = 2000;
const SHOWN_END = 500;

/** Matches the command that a sentence ends with. */
const COMMAND = /(?:(?<= run: )|(?<=: )(?=(?:awk|grep|jq|npm|sed|tail|urlmill) )).*$/;

/**
 * Writes one sentence for people to standard error, on its own line, with hidden characters escaped. Leaves out the
 * middle of a very long one: it may quote a line of any length. Wraps it at spaces for a terminal.
 */
export function say(sentence: string): void {
  const left = sentence.length - SHOWN_START - SHOWN_END;
  const shown =
    left <= 0
      ? sentence
      : `${sentence.slice(0, SHOWN_START)} … (${left} characters left out) … ${sentence.slice(-SHOWN_END)}`;
  tell(`${fitted(`urlmill: ${visible(shown)}`)}\n`);
}

/** Wraps a sentence to the width of the terminal. The command at its end stays on one line, so that it can be copied. */
function fitted(sentence: string): string {
  const { isTTY, columns = 0 } = standardStreams().stderr;
  if (isTTY !== true || columns === 0) return sentence;
  const whole = sentence.replace(COMMAND, (command) => command.replaceAll(" ", "\0"));
  return wrap(whole, 2, columns - 1)
    .join("\n")
    .replaceAll("\0", " ");
}

/** Writes a text of this program to standard error as it is. Calls `done` after it is written, or cannot be. */
export function tell(text: string, done?: () => void): void {
  // Without a listener, a reader who went away or a full disk would end the run. There is no other
  // place to report that, and the exit code still tells what became of the run.
  const { stderr } = standardStreams();
  if (!stderr.listeners("error").includes(ignore)) stderr.on("error", ignore);
  stderr.write(text, done);
}
