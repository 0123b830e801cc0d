import { styleText } from "node:util";
import type { Explanation } from "../engine/explain/explain.ts";
import { createNormalizer } from "../index.ts";
import { writeText } from "../io/files/write-text.ts";
import { visible, visibleJson } from "../io/text/visible.ts";
import { wrap } from "../io/text/wrap.ts";
import { STEP_TEXTS, type StepName } from "../options/catalog.generated.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { checkFiles } from "../runs/base/files.ts";
import { readFlags } from "../runs/call/flags/flag.ts";
import { domainToUnicode } from "../url/idna/domain-to-ascii.ts";
import { splitParts } from "../url/parts.ts";
import { meaningInFlags } from "./error-codes.ts";
import { EXPLAIN, EXPLAIN_FLAGS } from "./flags/commands.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { normalizerOptions, optionFiles, withFileNames } from "./normalizer-options.ts";

/**
 * Runs `urlmill explain URL…`. Of two URLs it also says whether they have one key. Returns the exit code, which is 1 if a
 * text is not a URL, or null if help was asked for.
 */
export async function runExplain(args: string[]): Promise<0 | 1 | null> {
  const { values, positionals } = parseFlags(EXPLAIN, args);
  const { json, base, color, help } = readFlags(EXPLAIN_FLAGS, values);
  if (help) return null;
  if (positionals.length === 0)
    throw new CommandFailure("explain which URL? see urlmill explain --help", 2);
  await checkFiles(optionFiles(values), ["-"]);
  const options = normalizerOptions(values);
  const normalizer = await withFileNames(values, () => createNormalizer(options));
  const paint = paintOf(color);
  const [first = "", second, ...more] = positionals;
  const isPair = second !== undefined && more.length === 0;
  const compare = isPair ? await import("./compare/comparison-text.ts") : null;
  let exitCode: 0 | 1 = 0;
  function* explained(): Generator<string> {
    for (const url of positionals) {
      const explanation = normalizer.explain(url, base);
      if (explanation.error !== null) exitCode = 1;
      yield json
        ? `${visibleJson({ input: url, ...explanation })}\n`
        : render(url, explanation, paint);
    }
    if (compare === null || second === undefined) return;
    const comparison = compare.compareUrls([first, second], base, options);
    yield json ? `${visibleJson(comparison)}\n` : compare.comparisonText(comparison, paint);
  }
  await writeText("-", explained());
  return exitCode;
}

function render(url: string, explanation: Explanation, paint: Paint): string {
  const { error, offset, steps, url: result, excepted = [] } = explanation;
  const lines = [visible(url)];
  if (error !== null) {
    lines.push(
      `${spaceBefore(url, offset)}^`,
      paint("red", `${error}: ${meaningInFlags(error)}, at byte ${offset}`),
    );
  } else if (steps.length === 0) {
    lines.push("  is in normal form");
  }
  const width = Math.max(0, ...steps.map(({ step }) => step.length));
  const indent = " ".repeat(width + 4);
  for (const { step, after, reference } of steps) {
    lines.push(`  ${step.padEnd(width)}  ${visible(after)}`);
    const says = `${indent}${STEP_TEXTS[step as StepName]}: `;
    // The line of a site's rule or alias is not wrapped, so that it can be copied.
    const isLine = step === "rules" || step === "pageAliases";
    const source = isLine
      ? [says + visible(reference)]
      : wrapSource(says, reference, indent.length);
    lines.push(...source.map((line) => paint("dim", line)));
  }
  for (const { rule, made } of excepted) {
    lines.push(paint("dim", `  not done: ${visible(rule)}`));
    lines.push(paint("dim", `    it would make ${visible(made)}, which is one of its exceptions`));
  }
  if (result !== null && steps.length > 0) lines.push(paint("green", visible(result)));
  const host = result === null ? "" : splitParts(result).host;
  if (domainToUnicode(host) !== host) lines.push(`  reads ${visible(domainToUnicode(host))}`);
  return `${lines.join("\n")}\n\n`;
}

/** Wraps a text and its reference, but neither the command nor the section of a standard in it. */
function wrapSource(text: string, reference: string, indent: number): string[] {
  const whole = reference.replaceAll(/ (?!\()/g, "\u00a0");
  return wrap(text + whole, indent).map((line) => line.replaceAll("\u00a0", " "));
}

type Paint = (color: "dim" | "red" | "green", text: string) => string;

/** Returns what colors a text: never, always, or as standard output takes it. */
function paintOf(choice: "auto" | "always" | "never"): Paint {
  if (choice === "never") return (_, text) => text;
  return (color, text) => styleText(color, text, { validateStream: choice === "auto" });
}

/** Indents by the width of the label before a byte of the UTF-8 form. */
function spaceBefore(text: string, offset: number): string {
  const before = visible(Buffer.from(text).subarray(0, offset).toString());
  return before.replaceAll(/[^\t]/gu, " ");
}
