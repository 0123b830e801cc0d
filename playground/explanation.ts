import { steps } from "virtual:values";
import type { Explanation } from "urlmill";
import { markedUrl, plainUrl } from "./difference.ts";
import { byId, make } from "./dom.ts";
import type { WorkerClient } from "./worker-client.ts";

type Step = Explanation["steps"][number];

/** Shows in a dialog each step that changed a URL. */
export class ExplanationDialog {
  readonly #dialog = byId<HTMLDialogElement>("explanation");
  readonly #body = byId("explanation-body");
  readonly #worker: WorkerClient;

  constructor(worker: WorkerClient) {
    this.#worker = worker;
    byId("explanation-close").addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("click", ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
  }

  /** Opens the dialog for a URL under the options of the last list. */
  async open(url: string): Promise<void> {
    const explanation = await this.#worker.run("explain", [url]);
    this.#body.replaceChildren(...contentOf(url, explanation));
    this.#dialog.showModal();
  }
}

function contentOf(url: string, { url: key, error, offset, steps }: Explanation): Node[] {
  const input = make("p", { className: "url" }, plainUrl(url));
  if (error !== null) {
    return [input, make("p", {}, `This is not a URL: ${error} at byte ${offset}. It has no key.`)];
  }
  if (steps.length === 0) return [input, make("p", {}, "No step changes it. It is its own key.")];
  return [
    input,
    make("ol", { className: "steps" }, ...steps.map(stepOf)),
    make("p", { className: "label" }, "Key"),
    make("p", { className: "url key" }, plainUrl(key ?? "")),
  ];
}

function stepOf({ step, before, after, reference }: Step): HTMLElement {
  const name = make("strong", {}, step);
  const isLine = step === "rules" || step === "pageAliases";
  const says = isLine ? ruleOf(reference) : linkOf(step, reference);
  return make(
    "li",
    {},
    make("p", {}, name, ` ${steps[step]?.text ?? ""} `, says),
    make("p", { className: "url before" }, markedUrl(before, after)),
    make("p", { className: "url after" }, markedUrl(after, before)),
  );
}

/**
 * Returns a link to the section of the specification, with the section of the standard if there is
 * one.
 */
function linkOf(step: string, reference: string): HTMLElement {
  const [, standard = "specification"] = /\((.+)\)$/.exec(reference) ?? [];
  const href = `../spec.html#${steps[step]?.anchor ?? ""}`;
  // In a tab of its own, so that the list of this page stays.
  return make("a", { href, target: "_blank", className: "reference" }, standard);
}

/** Returns the line of a site's rule (site, condition and action) or alias (site, URL and target). */
function ruleOf(line: string): HTMLElement {
  return make("code", {}, line.replaceAll("\t", "  "));
}
