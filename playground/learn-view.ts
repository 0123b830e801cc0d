import { markedUrl } from "./difference.ts";
import { button, byId, count, counted, download, make } from "./dom.ts";
import type { LearnedRules, RuleRow } from "./messages.ts";

/** Shows learned rules, and gives them to the list. */
export class LearnView {
  readonly #result = byId("learned");
  readonly #apply: (rules: string) => void;

  /** `apply` takes the rules as a file. */
  constructor(apply: (rules: string) => void) {
    this.#apply = apply;
  }

  show(learned: LearnedRules, name: string): void {
    const { rules, text } = learned;
    if (rules.length === 0) {
      this.#result.replaceChildren(make("p", {}, summaryOf(learned)));
      return;
    }
    const save = (): void => download(new Blob([text]), `${name.replace(/\..*$/, "")}.rules.tsv`);
    this.#result.replaceChildren(
      make("p", {}, summaryOf(learned)),
      make(
        "p",
        { className: "actions" },
        button("Use these rules above", () => this.#apply(text), "main"),
        button("Save the rules", save),
      ),
      make("div", { className: "wide" }, table(rules)),
    );
  }
}

function summaryOf({ records, skipped, sites, redundant, removed, rules }: LearnedRules): string {
  const read = `${counted(records, "record")} of ${counted(sites, "site")}`;
  const left = skipped > 0 ? `, ${count(skipped)} left out` : "";
  const found = `${counted(rules.length, "rule")}, which make ${count(removed)} of ${counted(redundant, "redundant URL")} unnecessary`;
  return `${read}${left}: ${rules.length === 0 ? "no rule was good enough" : found}.`;
}

function table(rules: readonly RuleRow[]): HTMLElement {
  const names = ["Site", "URLs", "Rule", "What speaks for it", "Merged", "Right, at least"];
  const heads = names.map((name) => make("th", { scope: "col" }, name));
  return make(
    "table",
    {},
    make("caption", { className: "hidden" }, "Learned rules"),
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...rules.map(row)),
  );
}

function row({ site, where, action, level, meaning, urls, least, examples }: RuleRow): HTMLElement {
  const [example] = examples;
  const shown =
    example === undefined
      ? []
      : [
          make("p", { className: "url" }, markedUrl(example[0], example[1])),
          make("p", { className: "url" }, markedUrl(example[1], example[0])),
        ];
  return make(
    "tr",
    {},
    make("td", {}, make("code", {}, site)),
    make("td", {}, make("code", {}, where)),
    make("th", { scope: "row" }, make("code", {}, action), ...shown),
    make("td", {}, level === "" ? "" : `${meaning} (${level})`),
    figure("Merged", count(urls)),
    // Rounded down, so that it stays a lower bound.
    figure("Right, at least", `${(Math.floor(least * 1000 + 1e-6) / 10).toFixed(1)} %`),
  );
}

/** Makes a cell with the name of its column, which small screens show beside it. */
function figure(name: string, text: string): HTMLElement {
  const cell = make("td", { className: "figure" }, text);
  cell.dataset["name"] = name;
  return cell;
}
