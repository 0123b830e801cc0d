import { visible } from "../../io/text/visible.ts";
import type { Comparison, OneSite } from "./compare.ts";
import type { Difference } from "./difference.ts";
import { flagsText } from "./option-flags.ts";

export { compareUrls } from "./compare.ts";

type Paint = (color: "dim" | "red" | "green", text: string) => string;

/** Writes a comparison of two URLs for people. The line of a rule stands alone, so that it can be copied. */
export function comparisonText(comparison: Comparison, paint: Paint): string {
  const { keys, same, forAllSites, forOneSite } = comparison;
  if (same) {
    const key = keys[0] === null ? "both are the same text, not a URL" : visible(keys[0]);
    return `${paint("green", `one key: ${key}`)}\n`;
  }
  const lines = [paint("red", `two keys: ${visible(reasonOf(comparison))}`)];
  if (forAllSites === null && forOneSite === null) {
    lines.push("No flag, pair of flags, preset or rule that was tried makes them one.");
  } else {
    lines.push("If they are one page, this makes them one:");
    if (forAllSites !== null) lines.push(`  for all sites: ${flagsText(forAllSites)}`);
    if (forOneSite !== null) lines.push(...siteLines(forOneSite));
  }
  return `${lines.join("\n")}\n`;
}

function reasonOf({ keys, difference }: Comparison): string {
  if (difference !== null) return differenceText(difference);
  const [first, second] = keys;
  if (first === null && second === null) return "neither text is a URL";
  return `the ${first === null ? "first" : "second"} text is not a URL`;
}

const PARTS: Readonly<Record<Difference["part"], string>> = {
  scheme: "the scheme",
  userinfo: "the user name or password",
  host: "the host",
  port: "the port",
  path: "the path",
  parameter: "the parameter",
  parameterOrder: "the order of parameters",
  emptyQuery: "a ? with nothing after it",
  fragment: "the fragment",
};

function differenceText({ part, name, first, second }: Difference): string {
  const what = name === undefined ? PARTS[part] : `${PARTS[part]} ${name || '""'}`;
  const mark = part === "fragment" ? "#" : "";
  if (part === "emptyQuery") return `only the ${first === null ? "second" : "first"} has ${what}`;
  if (first === null || second === null) {
    const has = first === null ? "second" : "first";
    return `only the ${has} has ${what}, ${mark}${first ?? second}`;
  }
  return `${what} differs: ${mark}${first} and ${mark}${second}`;
}

function siteLines({ sites, rules, flags }: OneSite): string[] {
  const head = `  for ${visible(sites.join(" and "))} alone:`;
  if (rules.length === 0) return [`${head} ${flagsText(flags)}`];
  const count = rules.length === 1 ? "this line" : "these lines";
  return [`${head} --rules FILE, with ${count} at its end:`, ...rules.map(visible)];
}
