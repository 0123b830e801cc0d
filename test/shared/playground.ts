import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type OpenFile, openFile } from "./open-file.ts";

/** The playground, built from `dist`, in Chromium. */
export interface OpenPlayground extends OpenFile {
  close(): Promise<void>;
}

/** Builds the playground and opens it from its file, as somebody does who has saved it. `edit` changes the page before. */
export async function openPlayground(
  edit: (page: string) => string = (page) => page,
): Promise<OpenPlayground> {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-playground-"));
  const build = fileURLToPath(new URL("../../playground/build.mjs", import.meta.url));
  execFileSync(process.execPath, [build, folder]);
  const file = join(folder, "index.html");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  const open = await openFile(file, { width: 1100, height: 900 }, /^(?:file|blob|data):/);
  return {
    ...open,
    async close() {
      await open.browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Clicks a button that saves a file, and returns the file's text. */
export async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}
