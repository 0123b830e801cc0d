import { standardStreams } from "./standard.ts";
import { visible } from "./visible.ts";

const ignore = (): void => {};

/** Writes one sentence for people to standard error, on its own line, with hidden characters escaped. */
export function say(sentence: string): void {
  tell(`urlmill: ${visible(sentence)}\n`);
}

/** Writes a text of this program to standard error as it is. Calls `done` after it is written, or cannot be. */
export function tell(text: string, done?: () => void): void {
  // Without a listener, a reader who went away or a full disk would end the run. There is no other
  // place to report that, and the exit code still tells what became of the run.
  const { stderr } = standardStreams();
  if (!stderr.listeners("error").includes(ignore)) stderr.on("error", ignore);
  stderr.write(text, done);
}
