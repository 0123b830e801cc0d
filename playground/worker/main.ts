// The worker of the playground: it holds the list and its keys, and answers the page.

import { kernel } from "virtual:values";
import { createNormalizer, loadKernel, type NormalizerOptions, UrlmillError } from "urlmill";
import { compareUrls, comparisonText } from "../../src/cli/compare/comparison-text.ts";
import type { Reply, Request, TaskName, Tasks } from "../messages.ts";
import { type Counts, DedupedList } from "./deduped-list.ts";
import { learnRules } from "./learn-rules.ts";
import { readableSource } from "./source.ts";
import { urlList } from "./url-list.ts";

type Report = (progress: Extract<Reply, { progress: unknown }>["progress"]) => void;
type Handlers = {
  [Name in TaskName]: (
    report: Report,
    ...args: Tasks[Name][0]
  ) => Tasks[Name][1] | Promise<Tasks[Name][1]>;
};

const loaded = load();
let list: DedupedList | null = null;
/**
 * Counts how often each task was started or stopped, so that a running task knows that it must end.
 */
const turns = { dedupe: 0, learn: 0 };

/** Begins a task, and returns a function that says whether it was stopped since. */
function begin(task: keyof typeof turns): () => boolean {
  const own = ++turns[task];
  return () => own !== turns[task];
}

/** Gives the kernel to the package. If WebAssembly does not run, the engine is JavaScript and states the reason. */
async function load(): Promise<void> {
  const packed = Uint8Array.from(atob(kernel), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  try {
    await loadKernel(bytes);
  } catch (error) {
    // The engine is JavaScript then, and the page shows the reason from `engineReason`.
    if (!(error instanceof UrlmillError) || error.code !== "ENGINE_UNAVAILABLE") throw error;
  }
}

const handlers: Handlers = {
  async dedupe(report, source: Blob, name: string, options: NormalizerOptions) {
    const isStopped = begin("dedupe");
    const normalizer = createNormalizer(options);
    const readable = await readableSource(source, { name, task: "dedupe" });
    const urls = await urlList(readable, name, report, isStopped);
    if (urls === null) return null;
    const next = new DedupedList(urls, normalizer);
    if (!(await next.read(report, isStopped))) return null;
    list = next;
    const summary = next.summary();
    return { ...summary, comparison: await comparisonOf(next, options, summary) };
  },
  stop(_, task) {
    begin(task);
    return null;
  },
  groups: (_, from, count) => known().groups(from, count),
  lines: (_, page) => known().page(page),
  explain: (_, url) => known().explain(url),
  unique: (_, form) => known().unique(form),
  async learn(report, source) {
    const isStopped = begin("learn");
    const { name } = source;
    const readable = await readableSource(source, { name, task: "learn" });
    return learnRules(readable, name, report, isStopped);
  },
};

/** Compares the lines of a list of two as `urlmill explain A B` does. */
async function comparisonOf(
  two: DedupedList,
  options: NormalizerOptions,
  { lines }: Counts,
): Promise<string | null> {
  if (lines !== 2) return null;
  const [first, second] = (await two.page(0)).filter(({ text }) => text.trim() !== "");
  if (first === undefined || second === undefined) return null; // blank lines fill the first page
  const comparison = compareUrls([first.text, second.text], undefined, options);
  return comparisonText(comparison, (_, text) => text);
}

function known(): DedupedList {
  if (list === null) throw new Error("There is no list yet: paste URLs or open a file.");
  return list;
}

async function answer({ id, task, args }: Request): Promise<void> {
  const reply = (message: Reply): void => postMessage(message);
  try {
    await loaded;
    const handler = handlers[task] as (report: Report, ...args: readonly unknown[]) => unknown;
    const result = await handler((progress) => reply({ id, progress }), ...args);
    reply({ id, result });
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", ({ data }: MessageEvent<Request>) => void answer(data));
