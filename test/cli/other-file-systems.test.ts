// At full length only: it tries what file systems refuse.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type CliResult, runProcess } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const names = (): string[] => readdirSync(folder).toSorted();

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(path("list"), "http://a/1\nnot a url\nhttp://a/1\n");
  writeFileSync(path("pages.jsonl"), '{"url":"http://a/?s=1","fp":"x"}\n');
});

/** Runs a call in a process whose functions for files are changed by `patch`, a program that has `fs` and `wrap`. */
function runWith(patch: string, args: readonly string[]): Promise<CliResult> {
  const program = `import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const folder = ${JSON.stringify(folder)};
    const fail = (code) => { throw Object.assign(new Error(code), { code }); };
    function wrap(names, change) {
      for (const holder of [fs, fs.promises]) {
        for (const name of names) {
          const original = holder[name];
          if (original !== undefined) holder[name] = change(original, name);
        }
      }
    }
    ${patch}
    syncBuiltinESMExports();`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(program)}`;
  const named = args.map((arg) => (/^[^-/]+$/.test(arg) ? path(arg) : arg));
  return runProcess([args[0] as string, ...named.slice(1)], "", { NODE_OPTIONS });
}

/** A folder in which names of other case, or of another Unicode form, are one file, as on macOS and Windows. */
const FOLDING = `
  const fold = (path) => typeof path === "string" && path.startsWith(folder)
    ? folder + path.slice(folder.length).normalize("NFC").toLowerCase() : path;
  wrap(["open", "openSync", "stat", "statSync", "lstat", "rm", "rmSync", "realpath"],
    (original) => (path, ...rest) => original(fold(path), ...rest));`;

describe("two outputs that are one file", () => {
  const pairs: [string, string[]][] = [
    ["by case of the third", ["dedupe", "list", "-o", "a", "--map", "b", "--errors", "B"]],
    ["by case", ["dedupe", "list", "-o", "out.txt", "--errors", "OUT.txt"]],
    ["by Unicode form", ["dedupe", "list", "-o", "caf\u00e9", "--map", "cafe\u0301"]],
  ];
  test.each(sampleOf(pairs, 2))("%s are refused before anything is written", async (_, args) => {
    const { code, stderr } = await runWith(FOLDING, args);
    expect(stderr).toMatch(/^urlmill: .* cannot be written twice by the same run; .*\n$/);
    expect(code).toBe(2);
    expect(names()).toEqual(["list", "pages.jsonl"]);
  });

  test("are two where the folder says so", async () => {
    const args = ["dedupe", "list", "-o", "out.txt", "--errors", "OUT.txt"];
    expect(await runWith("", args)).toMatchObject({ code: 0, stderr: "" });
    expect(names()).toEqual(["OUT.txt", "list", "out.txt", "pages.jsonl"]);
  });
});

/** A rename that is refused so many times, as while another program has the file open. */
const held = (code: string, times: number): string => `
  let left = ${times};
  wrap(["rename"], (original) => async (...args) => (left-- > 0 ? fail("${code}") : original(...args)));`;

describe("a file that another program holds open", () => {
  const LEARN = ["learn", "pages.jsonl", "-o", "rules.tsv"];

  test.each(sampleOf(["EPERM", "EBUSY", "EACCES"], 3))(
    "is replaced once it is let go: %s",
    async (code) => {
      writeFileSync(path("rules.tsv"), "old");
      expect(await runWith(held(code, 5), LEARN)).toMatchObject({ code: 0 });
      expect(readFileSync(path("rules.tsv"), "utf8")).toMatch(/^#urlmill-rules 1\n/);
      expect(names()).toEqual(["list", "pages.jsonl", "rules.tsv"]);
    },
  );

  test("stays, and the result is kept under the name that the error says", async () => {
    writeFileSync(path("rules.tsv"), "old");
    const { code, stderr } = await runWith(held("EBUSY", 1000), LEARN);
    const kept =
      /cannot write .*rules\.tsv: another program has it open; the result is in (\S+): move it/.exec(
        stderr,
      )?.[1] as string;
    expect(code).toBe(1);
    expect(readFileSync(kept, "utf8")).toMatch(/^#urlmill-rules 1\n/);
    expect(readFileSync(path("rules.tsv"), "utf8")).toBe("old");
  });

  test("keeps a result that the next run does not remove", async () => {
    writeFileSync(path("rules.tsv"), "old");
    const patch = `wrap(["rename"], (original) => async (from, to) =>
      to.includes(".urlmill-") ? original(from, to) : fail("EBUSY"));`;
    const { stderr } = await runWith(patch, LEARN);
    const kept = /the result is in (\S+): move it/.exec(stderr)?.[1] as string;
    expect(await runWith("", LEARN)).toMatchObject({ code: 0 });
    expect(readFileSync(kept, "utf8")).toMatch(/^#urlmill-rules 1\n/);
    expect(names()).toHaveLength(4);
  });

  test("does not stop a set", async () => {
    const args = ["dedupe", "-q", "list", "--seen", "keys"];
    expect(await runWith(held("EPERM", 3), args)).toMatchObject({ code: 0, stderr: "" });
    expect(await runWith(held("EPERM", 3), args)).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

/** Folders that cannot be synced: shares, FUSE. */
const UNSYNCED = (code: string): string => `
  wrap(["open"], (original) => async (path, ...rest) => {
    const handle = await original(path, ...rest);
    if ((await handle.stat()).isDirectory()) handle.sync = async () => fail("${code}");
    return handle;
  });`;

describe("a file system whose folders cannot be synced", () => {
  test.each(sampleOf(["EINVAL", "ENOTSUP", "EBADF"], 3))(
    "keeps sets all the same: %s",
    async (code) => {
      for (const store of ["journal", "disk"]) {
        const args = ["dedupe", "list", "--seen", store, `--store=${store}`];
        const stdout = "http://a/1\nnot a url\n";
        expect(await runWith(UNSYNCED(code), args)).toMatchObject({ code: 0, stdout });
        expect(await runWith(UNSYNCED(code), args)).toMatchObject({ code: 0, stdout: "" });
      }
    },
  );

  test("that says another error does not", async () => {
    const { code, stderr } = await runWith(UNSYNCED("EIO"), ["dedupe", "list", "--seen", "keys"]);
    expect(code).toBe(1);
    expect(stderr).toContain("EIO");
  });
});

test.each(sampleOf([".DS_Store", "._keys", "desktop.ini", "Thumbs.db"], 4))(
  "a set is made in a folder where the system has put %s",
  async (name) => {
    for (const store of ["journal", "disk"]) {
      mkdirSync(path(store));
      writeFileSync(join(folder, store, name), "x");
      const args = ["dedupe", "-q", "--seen", store, `--store=${store}`, "list"];
      expect(await runWith("", args)).toMatchObject({ code: 0, stderr: "" });
      expect(await runWith("", args)).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  },
);
