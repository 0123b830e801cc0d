import { say } from "../../io/say.ts";
import type { SkipReason } from "../../site-rules/language/skip-line.ts";
import { SKIP_DAYS, type Skips, skipsOf } from "../../site-rules/skip-filter.ts";
import { CommandFailure } from "../base/failure.ts";
import type { CommandOptions } from "../call/options.ts";

type Asked = Pick<CommandOptions, "normalizer" | "skipNoindex" | "skipExhausted" | "days">;

/**
 * Returns the lines of the rules that leave out URLs, as far as they were asked for. Throws if there are no rules, and says if
 * no line counts.
 */
export function skipsFor({
  normalizer: { rules },
  skipNoindex,
  skipExhausted,
  days,
}: Asked): Skips {
  const reasons: SkipReason[] = [];
  if (skipNoindex) reasons.push("noindex");
  if (skipExhausted) reasons.push("exhausted");
  if (days !== undefined && !skipExhausted)
    throw new CommandFailure("--days is for --skip-exhausted", 2);
  if (reasons.length === 0) return new Map();
  if (rules === undefined)
    throw new CommandFailure(`--skip-${reasons[0]} takes lines of rules: add --rules FILE`, 2);
  const skips = skipsOf(rules, reasons, { days: days ?? SKIP_DAYS });
  const found = new Set([...skips.values()].flat().map(({ why }) => why));
  for (const reason of reasons) {
    const which =
      reason === "noindex" ? "no such line" : `no such line of the last ${days ?? SKIP_DAYS} days`;
    if (!found.has(reason)) say(`--skip-${reason} leaves out nothing: the rules have ${which}`);
  }
  return skips;
}
