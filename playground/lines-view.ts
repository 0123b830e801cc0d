import { appendInSlices } from "./append-in-slices.ts";
import { markedUrl, plainUrl } from "./difference.ts";
import { byId, count, make, whyButton } from "./dom.ts";
import type { LineResult } from "./messages.ts";
import type { WorkerClient } from "./worker-client.ts";

/** Shows all lines with their keys in a table of pages. */
export class LinesView {
  readonly #body = byId<HTMLTableSectionElement>("lines-body");
  readonly #where = byId("lines-where");
  readonly #back = byId<HTMLButtonElement>("lines-back");
  readonly #next = byId<HTMLButtonElement>("lines-next");
  readonly #worker: WorkerClient;
  readonly #explain: (url: string) => void;
  #pages = 0;
  #page = 0;
  /** Counts what was shown, so that a later page stops an earlier one. */
  #turn = 0;

  constructor(worker: WorkerClient, explain: (url: string) => void, fail: (error: Error) => void) {
    this.#worker = worker;
    this.#explain = explain;
    this.#back.addEventListener("click", () => this.#turnBy(-1).catch(fail));
    this.#next.addEventListener("click", () => this.#turnBy(1).catch(fail));
  }

  /** Shows the first page of a new list. */
  async show(pages: number): Promise<void> {
    this.#pages = pages;
    if (pages > 0) return this.#turnTo(0);
    this.#body.replaceChildren();
    this.#showPager();
  }

  async #turnBy(pages: number): Promise<void> {
    const page = this.#page + pages;
    if (page >= 0 && page < this.#pages) await this.#turnTo(page);
  }

  async #turnTo(page: number): Promise<void> {
    const turn = ++this.#turn;
    const isStopped = (): boolean => turn !== this.#turn;
    const lines = await this.#worker.run("lines", [page]);
    if (isStopped()) return;
    this.#page = page;
    this.#showPager();
    this.#body.replaceChildren();
    await appendInSlices(this.#body, lines, (line) => this.#row(line), isStopped);
  }

  #showPager(): void {
    const isOnePage = this.#pages < 2;
    // A button that is disabled would lose the focus.
    this.#back.setAttribute("aria-disabled", String(this.#page === 0));
    this.#next.setAttribute("aria-disabled", String(this.#page + 1 >= this.#pages));
    for (const element of [this.#back, this.#next, this.#where]) element.hidden = isOnePage;
    this.#where.textContent = `Page ${count(this.#page + 1)} of ${count(this.#pages)}`;
  }

  #row({ line, text, key, error, same, isInGroup }: LineResult): HTMLElement {
    const head = make("th", { scope: "row" }, count(line));
    if (error === "blank") return make("tr", {}, head, make("td", { colSpan: 3 }, "blank line"));
    const shown = key === null ? plainUrl(text) : markedUrl(text, key);
    const url = make("td", { className: "url" }, shown);
    const state = error ?? (same > 0 ? `same as line ${count(same)}` : "first of its key");
    const found = make("td", { className: "url" });
    if (key !== null) {
      found.append(key === text ? make("span", { className: "note" }, "unchanged") : plainUrl(key));
    }
    const last = make("td", {}, make("span", { className: "state" }, state));
    // The group above explains its lines, and a line that is its own key needs no explanation.
    if (!isInGroup && key !== text)
      last.append(
        " ",
        whyButton(line, () => this.#explain(text)),
      );
    last.classList.toggle("failed", error !== null);
    return make("tr", {}, head, url, found, last);
  }
}
