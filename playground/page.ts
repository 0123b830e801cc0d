// The playground. It sends each list and the options to the worker, and shows the answers.
import { button, byId, count, counted, download } from "./dom.ts";
import { EXAMPLES } from "./examples.ts";
import { ExplanationDialog } from "./explanation.ts";
import { acceptChosen, acceptDropped } from "./files.ts";
import { GroupsView } from "./groups-view.ts";
import { LearnView } from "./learn-view.ts";
import { LinesView } from "./lines-view.ts";
import { fragmentOf, optionsOfFragment } from "./link.ts";
import { ListInput } from "./list-input.ts";
import type { ListFormat, Summary } from "./messages.ts";
import type { Options } from "./option-values.ts";
import { OptionsForm } from "./options-form.ts";
import { ProgressBar } from "./progress-bar.ts";
import { codeOf, commandOf } from "./same-elsewhere.ts";
import { WorkerClient } from "./worker-client.ts";

/** Names the preset at the start. It merges some of the examples. */
const FIRST_PRESET = "crawl";

const worker = new WorkerClient();
const status = byId("status");
const problem = byId("problem");
const fail = (error: unknown): void => {
  problem.textContent = error instanceof Error ? error.message : String(error);
};
const dialog = new ExplanationDialog(worker);
const explain = (url: string): void => void dialog.open(url).catch(fail);
const groups = new GroupsView(worker, explain, fail);
const lines = new LinesView(worker, explain, fail);
const stop = (task: "dedupe" | "learn"): void => void worker.run("stop", [task]).catch(fail);
const progress = new ProgressBar(byId("progress"), () => {
  stop("dedupe");
  status.textContent = "Cancelled. What is shown belongs to the list before.";
});
const learning = new ProgressBar(byId("learn-progress"), () => stop("learn"));
let options: Options = {};

const urls = byId<HTMLTextAreaElement>("urls");
const input = new ListInput(urls, () => void dedupe());
const form = new OptionsForm((chosen) => {
  options = chosen;
  const fragment = fragmentOf(chosen);
  if (fragment !== location.hash) history.replaceState(null, "", fragment);
  void dedupe();
});
const learned = new LearnView((rules) => {
  form.set({ ...options, rules });
  status.focus();
});

/** Dedupes what is in the field or in the file, and shows it. A later call stops it. */
async function dedupe(): Promise<void> {
  problem.textContent = "";
  progress.start();
  try {
    const summary = await worker.run("dedupe", [input.source, input.name, options], (now) =>
      progress.show(now),
    );
    if (summary === null) return;
    status.textContent = summaryText(summary);
    byId("comparison").textContent = summary.comparison ?? "";
    showSame(summary);
    byId("engine").textContent = engineText(summary);
    byId("results").hidden = summary.lines === 0;
    await Promise.all([groups.show(summary.groups), lines.show(summary.pages)]);
  } catch (error) {
    // Shows messages of the package about options beside the options.
    const { message } = error as Error;
    if (/^option /.test(message)) {
      form.showProblem(message);
      status.textContent = "An option is not possible, so nothing new is shown.";
    } else {
      fail(error);
      byId("results").hidden = true;
      status.textContent = "This list is not read.";
    }
  } finally {
    progress.end();
  }
}

function summaryText({ lines: all, unique, merged, repeated, failed, malformed }: Summary): string {
  if (all === 0) return "Paste URLs, one per line, or open a file.";
  const parts = [
    `${count(merged)} merged`,
    repeated > 0 ? counted(repeated, "exact repeat") : "",
    failed > 0 ? `${count(failed)} not a URL` : "",
    malformed > 0 ? counted(malformed, "row that cannot be read", "rows that cannot be read") : "",
  ].filter((part) => part !== "");
  return `${counted(all, "line")} → ${counted(unique, "page")}: ${parts.join(", ")}.`;
}

/** Shows the command and the program that do the same. */
function showSame({ format, failed }: Summary): void {
  const same = { name: input.name, options, hasErrors: failed > 0 };
  byId("same-command").textContent = commandOf(same);
  byId("same-code").textContent = codeOf(same);
  byId("same-note").textContent =
    format.name === "lines" ? "" : `${readingText(format)} The command keeps whole rows.`;
}

function readingText({ name, field }: ListFormat): string {
  return `The file was read as ${name}${field === "" ? "" : `, column ${field}`}.`;
}

function engineText({ engine, engineReason, seconds, lines: all }: Summary): string {
  const name = engine === "wasm" ? "WebAssembly" : `JavaScript (${engineReason})`;
  return `${counted(all, "line")} in ${seconds.toFixed(2)} s, by ${name}.`;
}

async function learn(file: File): Promise<void> {
  problem.textContent = "";
  learning.start();
  try {
    const result = await worker.run("learn", [file], (now) => learning.show(now));
    if (result !== null) learned.show(result, file.name);
  } catch (error) {
    fail(error);
  } finally {
    learning.end();
  }
}

/** Takes the options in the address, if there are any. */
function readLink(): void {
  const { options: linked, problems } = optionsOfFragment(location.hash);
  form.set(location.hash.includes("=") ? linked : { preset: FIRST_PRESET });
  if (problems.length > 0) form.showProblem(problems.join(" "));
}

async function save(formOfLines: "original" | "normalized", name: string): Promise<void> {
  download(await worker.run("unique", [formOfLines]), name);
}

async function copyText(id: string): Promise<void> {
  await navigator.clipboard.writeText(byId(id).textContent ?? "");
  byId("same-copied").textContent = "Copied.";
}

async function copyLink(): Promise<void> {
  await navigator.clipboard.writeText(location.href);
  byId("copied").textContent = "The link is copied. It holds the options, not the URLs.";
}

byId("copy-link").addEventListener("click", () => void copyLink().catch(fail));
for (const id of ["same-command", "same-code"]) {
  byId(`copy-${id}`).addEventListener("click", () => void copyText(id).catch(fail));
}
byId("save").append(
  button("Save unique URLs", () => void save("original", "unique.txt").catch(fail), "main"),
  button("Save their keys", () => void save("normalized", "keys.txt").catch(fail)),
);
acceptDropped(byId("drop"), (file) => input.setFile(file));
acceptDropped(byId("learn-drop"), (file) => void learn(file));
acceptChosen(byId<HTMLInputElement>("learn-file"), (file) => void learn(file));
addEventListener("hashchange", readLink);
// The field is there before this script runs, so that one may have typed already.
if (urls.value === "") input.setText(EXAMPLES);
readLink();
