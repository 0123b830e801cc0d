import { button, count, make } from "./dom.ts";
import type { Progress } from "./messages.ts";

/**
 * Progress is shown after this many milliseconds, because it would only flicker for shorter work.
 */
const PATIENCE_MS = 200;

/** Shows how far a task is, with a button that stops it. */
export class ProgressBar {
  readonly #place: HTMLElement;
  readonly #bar = make("progress", { max: 1 });
  readonly #text = make("span", {});
  #running = 0;
  #timer = 0;

  constructor(place: HTMLElement, stop: () => void) {
    this.#place = place;
    this.#bar.setAttribute("aria-label", "Progress");
    place.append(this.#bar, this.#text, button("Cancel", stop));
  }

  start(): void {
    this.#running++;
    this.#bar.value = 0;
    this.#text.textContent = "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#place.hidden = false;
    }, PATIENCE_MS) as unknown as number;
  }

  show({ bytes, allBytes, lines }: Progress): void {
    this.#bar.value = allBytes === 0 ? 1 : bytes / allBytes;
    const [done, all] = [bytes, allBytes].map((value) => (value / 1e6).toFixed(0));
    this.#text.textContent = `${done} of ${all} MB, ${count(lines)} lines`;
  }

  /** Ends the task. The bar disappears with the last of several tasks. */
  end(): void {
    if (--this.#running > 0) return;
    clearTimeout(this.#timer);
    this.#place.hidden = true;
  }
}
