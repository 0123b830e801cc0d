import { expect, test } from "vitest";
import * as learn from "../../src/learn/index.ts";

const TAKE_TEXT = [
  "detectFormat",
  "importCleanParam",
  "importNutchRules",
  "pageFingerprints",
  "parseAliases",
  "parseRule",
  "parseRules",
  "readVerdicts",
  "simFingerprint",
  "textFingerprint",
  "visibleText",
] as const;

const functions: Readonly<Record<string, unknown>> = { ...learn };

test.each(TAKE_TEXT)("%s refuses what is not a string", async (name) => {
  for (const wrong of [undefined, null, 7, {}, new Uint8Array(1)]) {
    const call = async () =>
      (functions[name] as (text: unknown, site: string) => unknown)(wrong, "a.b");
    await expect(call).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringMatching(/^\w+ must be a string, not (undefined|null|number|object)$/),
    });
  }
});
