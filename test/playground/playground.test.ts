// At full length only: it starts a browser.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareUrls, comparisonText } from "../../src/cli/compare/comparison-text.ts";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { RecordReader, writeRules } from "../../src/learn/index.ts";
import { CHROMIUM } from "../shared/chromium.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { learnNow } from "../shared/learn-site.ts";
import { atLength, IS_LONG, testAtLength } from "../shared/length.ts";
import { type OpenPlayground, openPlayground, saved } from "../shared/playground.ts";

if (CHROMIUM === undefined) {
  console.warn(
    "\n*** SKIPPED: no Chromium found, so nobody has tried the playground. Install it, or set CHROMIUM to its path. ***\n",
  );
}

const FORUM = new URL("../fixtures/learn/forum.tsv.gz", import.meta.url);

/** The first line of each key and its key, as Node has them. */
function firstOfKeys(lines: readonly string[], options: NormalizerOptions): [string[], string[]] {
  const first = new Map<string, string>();
  const { urls } = createNormalizer(options).normalizeBatch(lines);
  urls.forEach((key, row) => {
    if (key !== null && !first.has(key)) first.set(key, lines[row] as string);
  });
  return [[...first.values()], [...first.keys()]];
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe.skipIf(CHROMIUM === undefined)("the playground in Chromium", () => {
  let site: OpenPlayground;
  const status = (): Promise<string> => site.page.locator("#status").innerText();
  const waitForStatus = (words: string): Promise<void> =>
    site.page.locator("#status", { hasText: words }).waitFor();
  const fill = async (lines: string, words: string): Promise<void> => {
    await site.page.locator("#urls").fill(lines);
    await waitForStatus(words);
  };
  /** Opens the page anew, with a fragment. */
  const open = async (fragment = ""): Promise<void> => {
    await site.page.goto("about:blank");
    await site.page.goto(site.url + fragment);
    await waitForStatus("→");
    await site.page.locator("#progress").waitFor({ state: "hidden" });
  };

  beforeAll(async () => {
    site = await openPlayground();
  }, 60_000);
  afterAll(() => site?.close());

  testAtLength("shows at the start what is the same page in its examples", async () => {
    await open();
    expect(await status()).toBe("12 lines → 6 pages: 5 merged, 1 not a URL.");
    const [first] = await site.page.locator(".group").allInnerTexts();
    expect(first?.split("\n").filter((line) => line.startsWith("http"))).toEqual([
      "https://shop.example/shoes?color=red&size=42",
      "https://shop.example/shoes?color=red&size=42",
      "https://shop.example/shoes?size=42&color=red&utm_source=newsletter",
    ]);
    expect(await site.page.locator(".group").first().locator("mark").allInnerTexts()).toEqual([
      "&utm_source=newsletter",
      "HTTPS",
      "Shop",
      "Example:443",
      "#reviews",
    ]);
    expect(await site.page.locator("#engine").innerText()).toContain("by WebAssembly");
  });

  test("says of two lines what `explain A B` says", async () => {
    await open();
    for (const pair of [
      ["https://shop.example/p/1?sid=3", "https://shop.example/p/1"],
      ["https://shop.example/p/1", "https://SHOP.example:443/p/%31"],
      ["https://shop.example/a", "not a URL"],
    ] as const) {
      const plain = (_: unknown, words: string): string => words;
      const said = comparisonText(compareUrls(pair, undefined, { preset: "crawl" }), plain);
      await site.page.locator("#urls").fill(`${pair.join("\n\n")}\n`);
      await site.page.locator("#comparison", { hasText: said.split("\n")[0] ?? "" }).waitFor();
      expect(await site.page.locator("#comparison").textContent()).toBe(said);
    }
    await fill("http://a/\nhttp://b/\nhttp://c/\n", "3 lines");
    expect(await site.page.locator("#comparison").isHidden()).toBe(true);
  });

  test("gives a file the unique lines and keys that Node gives it", async () => {
    await open();
    const lines = linesOf(readCorpus()).slice(0, atLength(1000, 4000));
    const twice = [...lines, "x", "", ...lines.map((line) => `${line}#top`)];
    await site.page.locator("#file").setInputFiles({
      name: "list.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(text(twice)),
    });
    await waitForStatus(`${(2 * lines.length + 1).toLocaleString("en")} lines`);
    const [first, keys] = firstOfKeys(twice, { preset: "crawl" });
    expect(await status()).toContain(`${keys.length.toLocaleString("en")} pages`);
    expect(await saved(site.page, "Save unique URLs")).toBe(text(first));
    expect(await saved(site.page, "Save their keys")).toBe(text(keys));
  });

  testAtLength(
    "reads CR LF, a byte order mark, blank lines and a last line without an end",
    async () => {
      await open();
      await site.page.locator("#file").setInputFiles({
        name: "list.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("\ufeffhttp://a/\r\nhttp://a\r\n\r\nhttp://b/\r\nhttp://a/"),
      });
      await waitForStatus("4 lines → 2 pages: 1 merged, 1 exact repeat.");
      expect(await site.page.locator("#file-note").innerText()).toBe("List: list.txt, 0.0 kB");
      const rows = await site.page.locator("#lines-body tr").allInnerTexts();
      expect(rows[2]).toContain("blank line");
      expect(rows[4]).toContain("same as line 1");
      expect(await saved(site.page, "Save unique URLs")).toBe("http://a/\nhttp://b/\n");
    },
  );

  testAtLength("takes a file that is chosen again, and one that is dropped", async () => {
    await open();
    const file = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("http://a/") };
    await site.page.locator("#file").setInputFiles(file);
    await waitForStatus("1 line → 1 page");
    await site.page.getByRole("button", { name: "Back to the field" }).click();
    await waitForStatus("12 lines");
    await site.page.locator("#file").setInputFiles(file);
    await waitForStatus("1 line → 1 page");
    await site.page.locator("#drop").evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["http://a/\nhttp://b/"], "b.txt"));
      element.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    });
    await waitForStatus("2 lines → 2 pages");
    expect(await status()).toBe("2 lines → 2 pages: 0 merged.");
  });

  testAtLength("keeps everything in its place when the progress bar comes and goes", async () => {
    await open();
    const tops = await site.page.evaluate(() => {
      const [progress, status] = [
        document.getElementById("progress"),
        document.getElementById("status"),
      ];
      return [false, true].map((hidden) => {
        if (progress !== null) progress.hidden = hidden;
        return status?.getBoundingClientRect().top;
      });
    });
    expect(tops[0]).toBe(tops[1]);
  });

  testAtLength("keeps the height of groups when somebody scrolls to them", async () => {
    await open();
    const lines = Array.from({ length: 40 }, (_, line) => `http://a/${line >> 1}#${line}`);
    await fill(lines.join("\n"), "40 lines");
    await site.page.locator(".group").nth(19).waitFor();
    const height = () =>
      site.page.locator("#groups").evaluate((list) => list.getBoundingClientRect().height);
    const before = await height();
    await site.page.locator(".group").nth(19).scrollIntoViewIfNeeded();
    await site.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    );
    expect(await height()).toBe(before);
  });

  testAtLength("turns the pages of a long list", async () => {
    await open();
    const lines = Array.from({ length: 250 }, (_, line) => `http://a/${line}`);
    await fill(lines.join("\n"), "250 lines");
    await site.page.getByRole("button", { name: "Next" }).click();
    await site.page.getByText("Page 2 of 3").waitFor();
    expect(await site.page.locator("#lines-body tr").first().innerText()).toContain("http://a/100");
    await site.page.getByRole("button", { name: "Next" }).click();
    await site.page.getByText("Page 3 of 3").waitFor();
    expect(await site.page.locator("#lines-body tr").count()).toBe(50);
  });

  testAtLength(
    "shows more groups when asked, and puts the focus on the first of them",
    async () => {
      await open();
      const lines = Array.from({ length: 50 }, (_, line) => `http://a/${line >> 1}#${line}`);
      await fill(lines.join("\n"), "50 lines");
      await site.page.locator(".group").nth(19).waitFor();
      expect(await site.page.locator(".group").count()).toBe(20);
      await site.page.getByRole("button", { name: "Show more (5 groups left)" }).click();
      await site.page.locator(".group").nth(24).waitFor();
      const group = site.page.locator(".group:has(:focus)");
      expect(await group.locator(".key").innerText()).toBe("http://a/20");
      expect(await site.page.locator("#groups-more").isVisible()).toBe(false);
    },
  );

  testAtLength("keeps preset and options in the link, and takes them from it", async () => {
    await open();
    await site.page.getByLabel("Preset").selectOption("safe");
    await site.page.locator("summary").click();
    await site.page.locator("#option-www").selectOption("remove");
    await site.page.locator("#option-dropParams").fill("ref, s*");
    await site.page.locator("#option-hostAliases").fill("b=c");
    await site.page.locator("#option-sites").fill('{"d": {"www": "keep"}}');
    await site.page.locator("#option-sites").press("Tab");
    await waitForStatus("→");
    const { hash } = new URL(site.page.url());
    await open(hash);
    expect(await site.page.locator("#options-changed").innerText()).toBe(" (4 changed)");
    await fill(
      "http://www.b.example/?ref=1&a\nhttp://b.example/?a\nhttp://b/\nhttp://c/",
      "2 pages",
    );
    expect(new URL(site.page.url()).hash).toBe(hash);
  });

  testAtLength("says what in a link it cannot read", async () => {
    await open("#preset=crawl&www=wild&colour=red");
    expect(await site.page.locator("#options-problem").innerText()).toBe(
      "Option www cannot be wild: expected keep, remove, add. The link's value is left out. There is no option colour. The link's value is left out.",
    );
  });

  testAtLength("shows what the package says of an option that it cannot take", async () => {
    await open();
    await site.page.locator("summary").click();
    await site.page.locator("#option-maxLength").fill("0");
    await site.page.locator("#option-maxLength").press("Tab");
    await waitForStatus("An option is not possible, so nothing new is shown.");
    expect(await site.page.locator("#options-problem").innerText()).toMatch(
      /^option maxLength cannot be 0/,
    );
  });

  testAtLength("explains a line, and gives the focus back", async () => {
    await open();
    const why = site.page.getByRole("button", { name: "Explain line 3" }).first();
    await why.focus();
    await site.page.keyboard.press("Enter");
    const dialog = site.page.getByRole("dialog", { name: "What changes this URL" });
    await dialog.waitFor();
    expect(await dialog.locator("li strong").allInnerTexts()).toEqual([
      "schemeCase",
      "hostCase",
      "defaultPort",
      "sortQuery",
      "fragment",
    ]);
    expect(await dialog.locator("li").first().innerText()).toContain(
      "writes the scheme in lower case RFC 3986 6.2.2.1",
    );
    await site.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await why.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  testAtLength("explains each line in one place: in its group, or else in the table", async () => {
    await open();
    const buttons = (line: number): Promise<number> =>
      site.page.getByRole("button", { name: new RegExp(`Explain line ${line}$`) }).count();
    // 2 is merged, 1 and 4 are their own keys, 12 is not a URL.
    // The lines come from a worker, some time after the page is there.
    await expect
      .poll(() => Promise.all([1, 2, 4, 12].map(buttons)), { timeout: 10_000 })
      .toEqual([0, 1, 0, 1]);
  });

  testAtLength("offers what people look for before what changes no URL", async () => {
    await open();
    const names = await site.page.locator("#option-fields label").allTextContents();
    expect(names.slice(0, 4)).toEqual(["www", "fragment", "trackingParams", "dropParams"]);
    expect(names.at(-1)).toBe("engine");
  });

  testAtLength(
    "reads CSV, TSV and JSON lines by the name of the file, and finds the column of the URLs",
    async () => {
      await open();
      const rows = [
        ["id", "link"],
        ["1", "http://a/?y=1&x=2,3"],
        ["2", "http://A/?x=2,3&y=1"],
      ];
      const json = rows.slice(1).map(([id, link]) => `${JSON.stringify({ id, page: link })}\n`);
      const files = {
        "crawl.csv": rows.map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\n`).join(""),
        "crawl.tsv": rows.map((row) => `${row.join("\t")}\n`).join(""),
        "crawl.jsonl": json.join(""),
      };
      for (const [name, content] of Object.entries(files)) {
        const buffer = Buffer.from(content);
        await site.page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer });
        await site.page.locator("#same-command", { hasText: name }).waitFor();
        expect([name, await status()]).toEqual([name, "2 lines → 1 page: 1 merged."]);
        expect(await saved(site.page, "Save unique URLs")).toBe("http://a/?y=1&x=2,3\n");
      }
      expect(await site.page.locator("#same-note").innerText()).toBe(
        "The file was read as jsonl, column page. The command keeps whole rows.",
      );
    },
  );

  testAtLength("shows why a list is refused, and nothing of the list before", async () => {
    await open();
    const buffer = Buffer.from("from,to\nhttp://a/,http://b/\n");
    await site.page
      .locator("#file")
      .setInputFiles({ name: "links.csv", mimeType: "text/csv", buffer });
    await waitForStatus("This list is not read.");
    expect(await site.page.locator("#problem").innerText()).toBe(
      "urlmill dedupe refuses this list, and so does the page: the columns are from, to; URLs are in from, to: give --field",
    );
    expect(await site.page.locator("#results").isVisible()).toBe(false);
    await site.page.getByRole("button", { name: "Back to the field" }).click();
    await waitForStatus("12 lines");
    expect(await site.page.locator("#results").isVisible()).toBe(true);
  });

  testAtLength("shows the command and the program that do the same", async () => {
    await open("#preset=crawl&www=remove");
    expect(await site.page.locator("#same-command").innerText()).toBe(
      "npx urlmill dedupe --preset crawl --www remove --on-error empty urls.txt -o unique.txt",
    );
    await fill("http://a/\nhttp://A/", "2 lines → 1 page");
    expect(await site.page.locator("#same-code").innerText()).toBe(
      'import { dedupe } from "urlmill";\nconst unique = dedupe(urls, { preset: "crawl", www: "remove" });',
    );
  });

  testAtLength("explains a line that is not a URL by its error", async () => {
    await open();
    await site.page.getByRole("button", { name: "Explain line 12" }).click();
    const dialog = site.page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain("This is not a URL: BAD_IPV4 at byte 7.");
  });

  testAtLength("learns the rules that Node learns, and uses them", async () => {
    await open();
    await site.page.locator("#learn-file").setInputFiles(FORUM.pathname);
    await site.page.locator("#learned table").waitFor();
    const records = new RecordReader("tsv").push(gunzipSync(readFileSync(FORUM)), true);
    const rules = writeRules(learnNow(records).rules);
    expect(await saved(site.page, "Save the rules")).toBe(rules);
    expect(await site.page.locator("#learned tbody tr").first().innerText()).toContain(
      "fingerprints of the pages agree (fingerprint)",
    );
    const host = "http://www.computer-forum.net/viewtopic.php?t=1";
    await fill(`${host}\n${host}&start=0`, "2 pages");
    await site.page.getByRole("button", { name: "Use these rules above" }).click();
    await waitForStatus("2 lines → 1 page");
    expect(await site.page.locator("#option-rules").inputValue()).toBe(rules);
  });

  testAtLength("says why a table cannot be learned from", async () => {
    await open();
    await site.page.locator("#learn-file").setInputFiles({
      name: "x.tsv",
      mimeType: "text/plain",
      buffer: Buffer.from("a\tb\n1\t2\n"),
    });
    await site.page.locator("#problem", { hasText: "url" }).waitFor();
    expect(await site.page.locator("#problem").innerText()).toMatch(/"?url"?/);
  });

  testAtLength("takes a long text that is pasted as it takes a file", async () => {
    await open();
    const pasted = "http://a/\n".repeat(200_000);
    await site.page.locator("#urls").evaluate((field, value) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", value);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
    }, pasted);
    await waitForStatus("200,000 lines → 1 page: 0 merged, 199,999 exact repeats.");
    expect(await site.page.locator("#file-note").innerText()).toBe("List: Pasted text, 2.0 MB");
    await site.page.getByRole("button", { name: "Back to the field" }).click();
    await waitForStatus("12 lines");
  });

  testAtLength("can be used with the keyboard in the order it is read", async () => {
    await open();
    await site.page.locator("#urls").focus();
    const visited: string[] = [];
    for (let step = 0; step < 6; step++) {
      await site.page.keyboard.press("Tab");
      visited.push(
        await site.page.evaluate(() => {
          const { activeElement: at } = document;
          return at?.id || at?.textContent?.trim() || "";
        }),
      );
    }
    expect(visited).toEqual([
      "file",
      "preset",
      "Single options",
      "copy-link",
      "Save unique URLs",
      "Save their keys",
    ]);
  });

  testAtLength.each(["light", "dark"] as const)(
    "breaks no rule of accessibility that axe checks (%s)",
    async (colorScheme) => {
      await site.page.emulateMedia({ colorScheme });
      await open();
      await site.page.locator("summary").click();
      await site.page.locator("#learn-file").setInputFiles(FORUM.pathname);
      await site.page.locator("#learned table").waitFor();
      await site.page.evaluate(axe.source);
      const violations = (): Promise<string[]> =>
        site.page.evaluate(async () => {
          const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
          const result = await axe.run();
          return result.violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`,
          );
        });
      expect(await violations()).toEqual([]);
      await site.page.getByRole("button", { name: "Explain line 3" }).first().click();
      await site.page.getByRole("dialog").waitFor();
      expect(await violations()).toEqual([]);
    },
  );

  testAtLength("fits screens of 360 px with all unfolded", async () => {
    await site.page.setViewportSize({ width: 360, height: 700 });
    await open();
    await site.page.locator("summary").click();
    await site.page.locator("#learn-file").setInputFiles(FORUM.pathname);
    await site.page.locator("#learned table").waitFor();
    await fill(`http://a/${"x".repeat(3000)}\nhttp://A/${"x".repeat(3000)}`, "2 lines");
    const overflow = await site.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });

  test("and nothing complained or asked the network", () => {
    expect(site.complaints).toEqual([]);
  });
});

test.runIf(IS_LONG && CHROMIUM !== undefined)(
  "the playground works where a policy forbids WebAssembly, and says why it is JavaScript",
  async () => {
    const site = await openPlayground((html) => html.replace(" 'wasm-unsafe-eval'", ""));
    try {
      await site.page.locator("#status", { hasText: "12 lines → 6 pages" }).waitFor();
      await site.page.locator("#engine", { hasText: "by" }).waitFor();
      expect(await site.page.locator("#engine").innerText()).toMatch(/by JavaScript \(.+\)/);
    } finally {
      await site.close();
    }
  },
);
