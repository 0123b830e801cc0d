import { styleText } from "node:util";
import { domainToUnicode } from "../engine/js/idna/domain-to-ascii.ts";
import { splitParts } from "../engine/js/parts.ts";
import type { Explanation } from "../explain/explain.ts";
import { createNormalizer, explainStatus } from "../index.ts";
import { CommandFailure } from "./failure.ts";
import { checkFiles } from "./files.ts";
import { NORMALIZER_FLAGS, normalizerOptions, optionFiles } from "./normalizer-options.ts";
import { parseFlags } from "./options.ts";

const FLAGS = {
  ...NORMALIZER_FLAGS,
  base: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** `urlmill explain URL…`; true where it was asked for help. */
export async function runExplain(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags("explain", FLAGS, args);
  if (values["help"] === true) return true;
  if (positionals.length === 0)
    throw new CommandFailure("explain which URL? see urlmill explain --help", 2);
  const flags = values as Record<string, string[]>;
  await checkFiles(optionFiles(flags), ["-"]);
  const normalizer = createNormalizer(normalizerOptions(flags));
  for (const url of positionals) {
    const explanation = normalizer.explain(url, values["base"] as string | undefined);
    process.stdout.write(
      values["json"] === true
        ? `${JSON.stringify({ input: url, ...explanation })}\n`
        : render(url, explanation),
    );
  }
  return false;
}

function render(url: string, { error, offset, steps, url: result }: Explanation): string {
  const lines = [visible(url)];
  if (error !== null) {
    lines.push(
      `${" ".repeat(columnOf(url, offset))}^`,
      red(`${error}: ${explainStatus(error)}, at byte ${offset}`),
    );
  } else if (steps.length === 0) {
    lines.push("  is in normal form");
  }
  const width = Math.max(0, ...steps.map(({ rule }) => rule.length));
  for (const { rule, after, reference } of steps) {
    lines.push(`  ${rule.padEnd(width)}  ${visible(after)}  ${styleText("dim", reference)}`);
  }
  if (result !== null && steps.length > 0) lines.push(styleText("green", result));
  const host = result === null ? "" : splitParts(result).host;
  if (domainToUnicode(host) !== host) lines.push(`  reads ${domainToUnicode(host)}`);
  return `${lines.join("\n")}\n\n`;
}

const red = (text: string): string => styleText("red", text);

/** Control characters as their pictures, so that a caret below finds its place. */
function visible(text: string): string {
  const pictures = [...text].map((character) =>
    character < " " ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : character,
  );
  return pictures.join("");
}

/** How many characters stand before a byte of the UTF-8 form. */
function columnOf(text: string, offset: number): number {
  return [...Buffer.from(text).subarray(0, offset).toString()].length;
}
