import { expect, test } from "vitest";
import { mayChange, settled } from "../../src/learn/count/settled.ts";
import { parseRules } from "../../src/site-rules/index.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";

test("what rules change passes the quick test, and much of the rest does not", () => {
  const random = new Random(17);
  let [changed, spared] = [0, 0];
  for (let set = 0; set < atLength(50, 400); set++) {
    const rules = parseRules(randomRules(random, 1 + random.below(3), true));
    const may = mayChange(rules);
    for (const url of urlsForRules(random, 40)) {
      const target = url.replace(/^[^:]*:\/\/[^/]*|#.*$/g, "");
      if (!target.startsWith("/")) continue;
      const text = { target, isHttps: url.startsWith("https") };
      const isChanged = settled(text, rules) !== text;
      if (isChanged) expect(may(target), `${target} by ${JSON.stringify(rules)}`).toBe(true);
      if (isChanged) changed++;
      else if (!may(target)) spared++;
    }
  }
  expect(changed).toBeGreaterThan(atLength(200, 1000));
  expect(spared).toBeGreaterThan(atLength(200, 1000));
});
