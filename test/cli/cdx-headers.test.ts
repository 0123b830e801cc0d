import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};
const HEADER = " CDX N b a";
const line = (host: string): string => `org,${host})/ 2020 http://${host}.org/`;
/** Lines of so many hosts, with a header. */
const index = (host: string, count = 1): string => {
  const lines = Array.from({ length: count }, (_, number) => line(`${host}${number || ""}`));
  return `${[HEADER, ...lines].join("\n")}\n`;
};

const [A, B] = [file("a.cdx", index("a")), file("b.cdx", index("b"))];
const BOTH = `${HEADER}\n${line("a")}\n${line("b")}\n`;

describe.each(ENGINES)("headers of several CDX files (%s)", (engine) => {
  const run = async (...args: string[]) => (await runCli([...args, "--engine", engine])).stdout;

  test("the header is written once, to a pipe and to a file", async () => {
    const out = join(folder, `out-${engine}.cdx`);
    expect(await run("dedupe", A, B)).toBe(BOTH);
    await run("dedupe", A, B, "-o", out);
    expect(readFileSync(out, "latin1")).toBe(BOTH);
  });

  test.each([
    [["-c"], " U", " 1"],
    [["--emit", "both"], " A", " http://?.org/"],
    [["-c", "--keep", "last"], " U", " 1"],
  ])("it is written once with %j", async (flags, letter, added) => {
    const rows = ["a", "b"].map((host) => `${line(host)}${added.replace("?", host)}\n`);
    expect(await run("dedupe", ...flags, A, B)).toBe(`${HEADER}${letter}\n${rows.join("")}`);
  });

  test("it is written once with a set, a list to leave out, and an output that has it", async () => {
    const only = (host: string): string => `${HEADER}\n${line(host)}\n`;
    expect(await run("dedupe", "--seen", join(folder, `set-${engine}`), A, B)).toBe(BOTH);
    expect(await run("dedupe", "--exclude", A, A, B)).toBe(only("b"));
    const out = file(`more-${engine}.cdx`, index("a"));
    await run("dedupe", A, B, "--append", out);
    expect(readFileSync(out, "latin1")).toBe(`${only("a")}${line("a")}\n${line("b")}\n`);
  });

  test("a different header stays, and so does the first one after it", async () => {
    const other = file("other.cdx", " CDX N a b\norg,c)/ http://c.org/ 2020\n");
    const [text, more] = [index("a"), readFileSync(other, "latin1")];
    expect(await run("normalize", A, other, other, A)).toBe(
      text + more + more.replace(/^.*\n/, "") + text,
    );
  });

  test("blank lines before it and a last line without an end do not matter", async () => {
    const open = file("open.cdx", index("a").trimEnd());
    const blank = file("blank.cdx", `\n\n${index("b").replaceAll("\n", "\r\n")}`);
    expect(await run("normalize", open, blank)).toBe(`${index("a")}\n\n${line("b")}\r\n`);
  });

  test("files of many chunks are read alike on one thread and on two", async () => {
    const [one, two] = [index("a", 40_000), index("b", 40_000)];
    const names = [file("many.cdx", one), file("more.cdx", two)];
    const expected = one + two.slice(HEADER.length + 1);
    for (const threads of sampleOf(["2", "1"], 2)) {
      const out = join(folder, `many-${engine}-${threads}.cdx`);
      expect((await run("dedupe", "-j", threads, ...names)) === expected).toBe(true);
      await run("dedupe", "-j", threads, ...names, "-o", out);
      expect(readFileSync(out, "latin1") === expected).toBe(true);
    }
  });
});
