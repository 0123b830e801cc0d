import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, onTestFinished, TestRunner } from "vitest";

/**
 * Makes a folder and returns its path. A folder made in a test or in `beforeEach` is removed after that test, and one made at
 * the top of a file or of a `describe` after all tests there. Not for `beforeAll`, where no removal can be registered.
 */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-test-"));
  const onEnd = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  onEnd(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns a function that gives paths in a new folder for each test. */
export function newFolders(): (path: string) => string {
  let folder = "";
  beforeEach(() => {
    folder = tempFolder();
  });
  return (path) => join(folder, path);
}
