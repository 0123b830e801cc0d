// At full length only: it starts a browser.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderLearnReport } from "../../src/runs/report/learn-page.ts";
import { CHROMIUM } from "../shared/chromium.ts";
import { HEAD, HOSTILE, judged, LEARNED, learnedOf, siteOf } from "../shared/made-up-report.ts";
import { openFile } from "../shared/open-file.ts";
import { tempFolder } from "../shared/temp-folder.ts";

if (CHROMIUM === undefined) {
  console.warn(
    "\n*** SKIPPED: no Chromium found, so nobody has looked at the report on learning. Install it, or set CHROMIUM to its path. ***\n",
  );
}

describe.skipIf(CHROMIUM === undefined)("the report on learning in Chromium", () => {
  const folder = tempFolder();
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    const long = siteOf(`${"x".repeat(200)}.example`, {
      urls: 123_456_789,
      aliases: [
        { site: "x.example", from: `/${"a".repeat(3000)}`, to: HOSTILE, level: "fingerprint" },
      ],
      selected: [
        judged(
          `a.example\t* ?${"y".repeat(300)}\tdrop ${"z".repeat(300)}\tfingerprint n=1234567 ok=1234566 lb=.99`,
          {},
          [["/", `/${"q".repeat(3000)}`]],
        ),
      ],
    });
    const file = join(folder, "learn.html");
    writeFileSync(file, renderLearnReport(HEAD, learnedOf([...LEARNED.sites, long])));
    ({ browser, page, complaints } = await openFile(file, { width: 1000, height: 800 }));
  }, 60_000);
  afterAll(() => browser?.close());

  test("finds rules by words, and the sites that have them", async () => {
    const search = page.getByLabel("Search");
    const sites = page.locator(".site:visible h2");
    await search.fill("members login");
    expect(await sites.allInnerTexts()).toEqual(["forum.example"]);
    expect(await page.locator("#found").innerText()).toBe("1 row has these words");
    await search.fill("wiki.example");
    expect(await sites.allInnerTexts()).toEqual(["wiki.example"]);
    await search.fill("");
    expect(await sites.count()).toBe(4);
  });

  test("unfolds the examples of a rule", async () => {
    const details = page.locator(".sinks details").first();
    await details.locator("summary").click();
    expect((await details.locator("li").innerText()).split("\n")[1]).toContain(
      "= /<script>alert(1)</script>",
    );
  });

  test("has bars as long as their counts", async () => {
    const widths = await page
      .locator(".site")
      .first()
      .locator(".rules rect.ok, .sinks rect.ok")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const [start, host, sink] = widths as [number, number, number];
    expect(sink).toBeGreaterThan(500);
    expect(Math.abs(start - (sink * 1176) / 2940)).toBeLessThan(2);
    expect(Math.abs(host - (sink * 5) / 2940)).toBeLessThan(2);
  });

  test("lines up figures on the right", async () => {
    const rights = await page
      .locator(".site")
      .first()
      .locator(".rules > ol > li, .sinks > ol > li")
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect().right),
        ),
      );
    expect(rights).toHaveLength(5);
    for (const row of rights) expect(row).toEqual(rights[0]);
  });

  test("fits any screen with all unfolded, light and dark", async () => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1200, 640, 400, 360]) {
        await page.setViewportSize({ width, height: 640 });
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([width, overflow]).toEqual([width, 0]);
      }
      const colors = await page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return [color, backgroundColor];
      });
      expect(colors[0]).not.toBe(colors[1]);
    }
  });

  test("and nothing complained, loaded or popped up", () => {
    expect(complaints).toEqual([]);
  });
});
