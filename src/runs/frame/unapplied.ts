import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";
import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import { parseRules } from "../../site-rules/language/rule-file.ts";
import { EVIDENCE_LEVELS, isAccepted } from "../../site-rules/rule.ts";

/** The weakest evidence of a rule that is applied without `--accept`. */
const ACCEPTED = "fetched";

/** Says how many rules of the options are not applied, because their evidence is weaker than `--accept` allows. */
export function sayUnappliedRules({ rules: text, accept = ACCEPTED }: NormalizerOptions): void {
  if (text === undefined) return;
  const rules = parseRules(text);
  const levels = rules.flatMap(({ evidence }) => evidence?.level ?? []);
  const weaker = levels.filter((level) => !isAccepted(level, accept));
  const weakest = EVIDENCE_LEVELS.findLast((level) => weaker.includes(level));
  if (weakest === undefined) return;
  const share = `${weaker.length} of ${counted(rules.length, "rule")}`;
  say(
    `${share} ${weaker.length === 1 ? "is" : "are"} not applied: the evidence is weaker than ${accept}; --accept ${weakest} applies all`,
  );
}
