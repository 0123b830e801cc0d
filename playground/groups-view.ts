import { appendInSlices } from "./append-in-slices.ts";
import { markedUrl, plainUrl } from "./difference.ts";
import { byId, count, counted, make, whyButton } from "./dom.ts";
import type { Group, NumberedLine } from "./messages.ts";
import type { WorkerClient } from "./worker-client.ts";

/** Counts the groups that are shown at a time. */
const SHOWN = 20;

/** Lists the groups of lines that have one key, with what differs from the key marked. */
export class GroupsView {
  readonly #list = byId("groups");
  readonly #none = byId("groups-none");
  readonly #more = byId<HTMLButtonElement>("groups-more");
  readonly #worker: WorkerClient;
  readonly #explain: (url: string) => void;
  #groups = 0;
  /** Counts what was shown, so that a later list stops an earlier one. */
  #turn = 0;

  constructor(worker: WorkerClient, explain: (url: string) => void, fail: (error: Error) => void) {
    this.#worker = worker;
    this.#explain = explain;
    this.#more.addEventListener("click", () => this.#add(true).catch(fail));
  }

  /** Shows the first groups of a new list. */
  async show(groups: number): Promise<void> {
    this.#groups = groups;
    this.#list.replaceChildren();
    this.#none.hidden = groups > 0;
    await this.#add(false);
  }

  async #add(takesFocus: boolean): Promise<void> {
    const from = this.#list.childElementCount;
    const turn = ++this.#turn;
    const isStopped = (): boolean => turn !== this.#turn;
    const groups = await this.#worker.run("groups", [from, SHOWN]);
    if (isStopped()) return;
    await appendInSlices(this.#list, groups, (group) => this.#item(group), isStopped);
    if (isStopped()) return;
    const left = this.#groups - this.#list.childElementCount;
    this.#more.hidden = left <= 0;
    this.#more.textContent = `Show more (${counted(left, "group")} left)`;
    if (takesFocus) this.#list.children[from]?.querySelector("button")?.focus();
  }

  #item({ key, members, more, repeated }: Group): HTMLElement {
    const lines = members.map((member) => this.#member(member, key));
    const rest = [
      more > 0 ? `${counted(more, "more line")} of this key` : "",
      repeated > 0 ? `${counted(repeated, "exact repeat")} of the first line` : "",
    ].filter((text) => text !== "");
    return make(
      "li",
      { className: "group" },
      make("p", { className: "url key" }, plainUrl(key)),
      make("ol", { className: "members" }, ...lines),
      ...(rest.length > 0 ? [make("p", { className: "note" }, `and ${rest.join(", ")}`)] : []),
    );
  }

  #member({ line, text }: NumberedLine, key: string): HTMLElement {
    return make(
      "li",
      {},
      make("span", { className: "line" }, count(line)),
      make("span", { className: "url" }, markedUrl(text, key)),
      ...(text === key ? [] : [whyButton(line, () => this.#explain(text))]),
    );
  }
}
