// At full length only: it starts a browser.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM } from "../shared/chromium.ts";
import { runCli } from "../shared/cli.ts";
import { openFile } from "../shared/open-file.ts";
import { withoutSearch } from "../shared/report.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const HOSTILE = "http://evil.com/<script>alert(1)</script>?\u202eexe&quot;";
const INPUT = [
  ...Array.from({ length: 40 }, (_, row) => `http://a.com/?b&a&utm_source=${row}`),
  ...Array.from({ length: 10 }, (_, row) => `HTTP://B.com/#${row}`),
  HOSTILE,
  `${HOSTILE}#2`,
  "nothing <b>here</b>",
  "http://1.2.3.256/",
  `http://long.com/${"x".repeat(3000)}`,
  "",
].join("\n");

const folder = tempFolder();

async function makeReport(command: string): Promise<string> {
  const file = join(folder, `${command}.html`);
  const args = [command, "--preset", "crawl", "--report", file, "--on-error", "empty"];
  const result = await runCli(args, Buffer.from(INPUT));
  expect(result.code).toBe(0);
  return file;
}

test("a report is one page that loads nothing and runs nothing but its search", async () => {
  const page = readFileSync(await makeReport("dedupe"), "utf8");
  expect(page).toMatch(/^<!doctype html>/);
  expect(withoutSearch(page)).not.toMatch(/<script|src=|href=|@import|url\(/i);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("&lt;b&gt;here");
});

test("with a report, what is written stays the same", async () => {
  const file = join(folder, "same.html");
  for (const command of ["normalize", "dedupe"]) {
    const plain = await runCli([command, "--preset", "crawl"], Buffer.from(INPUT));
    const reported = await runCli(
      [command, "--preset", "crawl", "--report", file],
      Buffer.from(INPUT),
    );
    expect(reported).toEqual(plain);
  }
});

if (CHROMIUM === undefined) {
  console.warn(
    "\n*** SKIPPED: no Chromium found, so nobody has looked at the report page. Install it, or set CHROMIUM to its path. ***\n",
  );
}

describe.skipIf(CHROMIUM === undefined)("the report page in Chromium", () => {
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    ({ browser, page, complaints } = await openFile(await makeReport("dedupe"), {
      width: 1000,
      height: 800,
    }));
  }, 60_000);
  afterAll(() => browser?.close());

  const texts = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();

  test("tells what became of the records", async () => {
    const tiles = (await texts(".tile")).map((tile) => tile.replaceAll(/\s+/g, " "));
    expect(tiles).toEqual([
      "55 records 100 %",
      "4 different URLs 7.3 %",
      "49 merged 89 %",
      "2 not a URL 3.6 %",
      "52 changed 95 %",
    ]);
  });

  test("shows rules, hosts, groups and errors with bars as long as their counts", async () => {
    const rows = async (id: string): Promise<[string, string, number][]> =>
      page
        .locator(`#${id} .row`)
        .evaluateAll((elements) =>
          elements.map((row) => [
            row.querySelector(".name")?.textContent ?? "",
            row.querySelector(".value")?.textContent ?? "",
            Math.round(row.querySelector("rect")?.getBoundingClientRect().width ?? 0),
          ]),
        );
    const rules = await rows("steps");
    expect(rules.map(([name, value]) => `${name}: ${value}`)).toContain(
      "trackingParams removes parameters that mark a click or a campaign: 40 73 %",
    );
    const hosts = await rows("hosts");
    expect(hosts.map(([name, value]) => [name, value])).toEqual([
      ["a.com", "39"],
      ["b.com", "9"],
      ["evil.com", "1"],
    ]);
    const full = hosts[0]?.[2] as number;
    expect(full).toBeGreaterThan(500);
    expect(Math.abs((hosts[1]?.[2] as number) - (full * 9) / 39)).toBeLessThan(2);
    expect((await rows("groups")).map(([name, value]) => [name, value])).toEqual([
      ["http://a.com/?a&b", "40"],
      ["http://b.com/", "10"],
      [expect.stringContaining("%3Cscript%3E"), "2"],
    ]);
    expect((await rows("errors")).map(([name]) => name.split(" ")[0])).toEqual([
      "NO_SCHEME",
      "BAD_IPV4",
    ]);
  });

  test("unfolds examples, with line numbers for errors", async () => {
    const details = page.locator("#errors details").first();
    await details.locator("summary").click();
    expect(await details.locator("li").allInnerTexts()).toEqual(["line 53 nothing <b>here</b>"]);
    const group = page.locator("#groups details").nth(2);
    await group.locator("summary").click();
    expect((await group.locator("li").allInnerTexts())[0]).toContain("<script>alert(1)</script>");
  });

  test("marks what differs from the key of a group, and what a rule changes", async () => {
    const marks = (selector: string): Promise<string[]> =>
      page.locator(`${selector} mark`).allTextContents();
    expect((await marks("#groups li:first-child li")).slice(0, 2)).toEqual([
      "b&a&utm_source=1",
      "b&a&utm_source=2",
    ]);
    expect((await marks("#steps details:has-text('trackingParams') li"))[0]).toBe("&utm_source=0");
  });

  test("finds rows by words, in what is folded too", async () => {
    const search = page.getByLabel("Search");
    const visible = (): Promise<string[]> =>
      page.locator("section > ol > li:visible .name").allInnerTexts();
    await search.fill("BAD_IPV4 host");
    expect(await visible()).toEqual([expect.stringContaining("BAD_IPV4")]);
    expect(await page.locator("#found").innerText()).toBe("1 row has these words");
    await search.fill("1.2.3.256");
    expect(await page.locator("#errors li li:visible").innerText()).toContain("1.2.3.256");
    expect(await page.locator("section:visible h2").allInnerTexts()).toEqual(["Errors, by kind"]);
    await search.fill("utm_source=3");
    expect(await page.locator("#groups li li:visible").allInnerTexts()).toEqual([
      "http://a.com/?b&a&utm_source=3",
    ]);
    await search.fill("nowhere");
    expect(await visible()).toEqual([]);
    await search.fill("");
    expect((await visible()).length).toBeGreaterThan(8);
  });

  test("fits a small screen, light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 640 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
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
