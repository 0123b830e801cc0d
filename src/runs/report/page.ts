import { noun } from "../../base/counted.ts";
import { explainStatus, type UrlErrorCode } from "../../base/status.ts";
import { shownInput } from "../../io/io-error.ts";
import { STEP_TEXTS, type StepName } from "../../options/catalog.generated.ts";
import { BLOCKED_CODE, NO_FIELD } from "../base/marks.ts";
import type { Tally } from "../call/tally.ts";
import type { ReportCollector } from "./collector.ts";
import { markedPair } from "./difference.ts";
import { type Html, html } from "./html.ts";
import type { Group, MergedGroups } from "./merged-groups.ts";
import { bar, code, count, renderPage, share, stackedBar, url, urlText } from "./parts.ts";
import { SEARCH_BOX } from "./search.ts";
import { STYLE } from "./style.ts";

const ROWS = 20;

export interface ReportHead {
  readonly command: "normalize" | "dedupe";
  readonly files: readonly string[];
  readonly preset: string;
  readonly engine: string;
  readonly threads: number;
  readonly profileId: string;
}

/** Returns one self-contained page for people: what a run changed, merged and could not read. */
export function renderReport(head: ReportHead, tally: Tally, collector: ReportCollector): string {
  const title = `urlmill ${head.command}: ${head.files.join(", ")}`;
  const merges =
    head.command === "dedupe" ? [mergedByHost(collector), largestGroups(collector)] : [];
  return renderPage(
    title,
    [STYLE],
    html`<h1>${head.command === "dedupe" ? "Deduplicated" : "Normalized"} <bdi>${head.files.map(shownInput).join(", ")}</bdi></h1>
<p class="meta">Preset ${head.preset}, profile <code>${head.profileId}</code>, ${head.engine} engine, ${count(head.threads)} ${noun("thread", head.threads)}, ${tally.seconds.toFixed(1)} s</p>
${overview(head.command, tally, collector)}
${SEARCH_BOX}
${changes(tally, collector)}
${merges}
${errors(tally, collector)}`,
  );
}

/** Shows all records in one bar. */
function overview(
  command: ReportHead["command"],
  tally: Tally,
  { mergedErrors }: ReportCollector,
): Html {
  const { lines, changed, errors, duplicates } = tally;
  const failed = errors - mergedErrors;
  const unique = lines - duplicates - failed;
  // A merged record may also be changed, or not a URL. The bar counts each record once.
  const parts = [
    [noun(command === "dedupe" ? "different URL" : "URL", unique), unique, "ok"],
    ["merged", duplicates, "merged"],
    ["not a URL", failed, "failed"],
  ] as const;
  const tiles = [[noun("record", lines), lines, ""], ...parts, ["changed", changed, ""]] as const;
  return html`<section id="overview">
<div class="tiles">${tiles.map(
    ([name, value, kind]) =>
      html`<div class="tile ${kind}"><b>${count(value)}</b> ${name} <i>${share(value, lines)}</i></div>`,
  )}</div>
${stackedBar(parts, lines, "what became of the records")}
</section>`;
}

function changes(tally: Tally, { examplesByStep }: ReportCollector): Html {
  const steps = tally.stepsByCount();
  const rows = steps.map(([step, value]) => {
    const examples = (examplesByStep.get(step) ?? []).map((change) => {
      const [before, after] = markedPair(urlText(change.before), urlText(change.after));
      return html`<li>${before}<br><span class="arrow">→</span> ${after}</li>`;
    });
    const does = STEP_TEXTS[step as StepName];
    return bar(
      html`${code(html`${step}`)} <i>${does}</i>`,
      value,
      steps[0]?.[1] ?? 1,
      tally.lines,
      examples,
    );
  });
  return section(
    "steps",
    "What changed, by step",
    "A record counts for each step that changed it.",
    rows,
  );
}

function mergedByHost({ groups }: ReportCollector): Html {
  const hosts = groups.hosts(ROWS);
  const rows = hosts.map(([host, value]) =>
    bar(url(host === "" ? "(no host)" : host), value, hosts[0]?.[1] ?? 1, null, []),
  );
  return section("hosts", "Merges by host", partly(groups), rows);
}

function largestGroups({ groups }: ReportCollector): Html {
  const largest = groups.largest(ROWS);
  const rows = largest.map(({ key, merged, examples }: Group) =>
    bar(
      url(key),
      merged + 1,
      (largest[0]?.merged ?? 0) + 1,
      null,
      examples.map((example) => html`<li>${markedPair(urlText(example), urlText(key))[0]}</li>`),
    ),
  );
  return section(
    "groups",
    "Largest groups",
    `Records that became one, the first of them included; what differs from the key is marked. ${partly(groups)}`,
    rows,
  );
}

function partly({ isPartial }: MergedGroups): string {
  return isPartial ? "The rarest were forgotten on the way, so counts may fall short." : "";
}

function errors(tally: Tally, { errorsByCode }: ReportCollector): Html {
  const codes = Object.entries(tally.errorsByCode).toSorted(([, a], [, b]) => b - a);
  const rows = codes.map(([code, value]) => {
    const lines = (errorsByCode.get(code) ?? []).map(
      ({ line, text }) => html`<li><span class="line">line ${count(line)}</span> ${url(text)}</li>`,
    );
    return bar(
      html`${code} <i>${meaningOf(code)}</i>`,
      value,
      codes[0]?.[1] ?? 1,
      tally.lines,
      lines,
    );
  });
  return section("errors", "Errors, by kind", "The first lines of each.", rows);
}

function meaningOf(code: string): string {
  if (code === NO_FIELD) return "the record has no URL where one belongs";
  if (code === BLOCKED_CODE)
    return "--block lists the URL, --allow does not, or --skip-noindex or --skip-exhausted leaves it out";
  return explainStatus(code as UrlErrorCode);
}

function section(id: string, title: string, note: string, rows: readonly Html[]): Html {
  const body = rows.length === 0 ? html`<p class="none">None.</p>` : html`<ol>${rows}</ol>`;
  return html`<section id="${id}"><h2>${title}</h2>${note === "" ? "" : html`<p class="meta">${note}</p>`}${body}</section>`;
}
