import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { readCorpus, readJsonFixture } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { internationalDomains } from "../shared/international.ts";
import { atLength } from "../shared/length.ts";

/** Keys must not depend on where they were computed: the same on every Node version and machine. */
describeEngines("the digest of output and status is the same everywhere", (create) => {
  const normalizer = create();

  const digest = (urls: readonly string[]): string => {
    const { urls: normalized, status } = normalizer.normalizeBatch(urls);
    return createHash("sha256")
      .update(JSON.stringify(normalized))
      .update(status)
      .digest("hex")
      .slice(0, 16);
  };

  test("of 50,000 real URLs", () => {
    expect(digest(Buffer.from(readCorpus()).toString().split("\n"))).toMatchInlineSnapshot(
      `"6fe676d2e5f09f40"`,
    );
  });

  test("of the web-platform-tests' inputs", () => {
    const cases = readJsonFixture<({ input: string } | string)[]>("wpt/urltestdata.json");
    const inputs = cases.flatMap((entry) => (typeof entry === "string" ? [] : [entry.input]));
    expect(digest(inputs)).toMatchInlineSnapshot(`"740d625b36debafc"`);
  });

  test("of generated international hosts", () => {
    const hosts = internationalDomains(17, atLength(10_000, 100_000));
    const urls = hosts.map((domain) => `https://${domain}/`);
    expect(digest(urls)).toBe(atLength("31dd271a6bf0a310", "1d99543abe1bb1f3"));
  });

  test("of hostile URLs", () => {
    const count = atLength(10_000, 50_000);
    const urls = hostileUrls(17, count).map((url) => Buffer.from(url, "latin1").toString());
    expect(digest(urls)).toBe(atLength("217c517639198772", "eb35ab37b9042add"));
  });
});
