import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { newFolders } from "../shared/temp-folder.ts";
import { capture, captures, HEADER, sorted } from "./lines.ts";

// python/tests/test_zipnum.py has pywb look captures up in these files.

const path = newFolders();

function write(name: string, content: string): string {
  writeFileSync(path(name), content, "latin1");
  return path(name);
}

/** Reads the members of `out` by its index. */
function members(): { key: string; text: string }[] {
  const bytes = readFileSync(path("out.gz"));
  const index = readFileSync(path("out.idx"), "latin1").split("\n").slice(0, -1);
  return index.map((line, at) => {
    const [key = "", part, offset, length, number] = line.split("\t");
    expect([part, number]).toEqual(["out.gz", String(at + 1)]);
    const from = Number(offset);
    const member = bytes.subarray(from, from + Number(length));
    return { key, text: gunzipSync(member).toString("latin1") };
  });
}

test("members have 3,000 lines each, and the index their first keys", async () => {
  const lines = sorted(captures(7001));
  const file = write("in.cdx", HEADER + lines);
  const { code, stderr } = await runCli(["cdx", "zipnum", file, "-o", path("out")]);
  expect([code, stderr]).toEqual([
    0,
    `urlmill: ${path("out.gz")}: 7001 lines in 3 members; ${path("out.idx")} has their keys\n`,
  ]);
  const found = members();
  expect(found.map(({ text }) => text.split("\n").length - 1)).toEqual([3001, 3000, 1001]);
  expect(found.map(({ text }) => text).join("")).toBe(HEADER + lines);
  expect(gunzipSync(readFileSync(path("out.gz"))).toString("latin1")).toBe(HEADER + lines);
  const firsts = [0, 3000, 6000].map((at) => lines.split("\n")[at]?.split(" ").slice(0, 2));
  expect(found.map(({ key }) => key)).toEqual(firsts.map((fields) => fields?.join(" ")));
  expect(readFileSync(path("out.loc"), "utf8")).toBe("out.gz\tout.gz\n");
});

test("several sorted files become one index, and the same input the same bytes", async () => {
  const files = [1, 2].map((seed) => write(`${seed}.cdx`, sorted(captures(2500, seed))));
  await runCli(["cdx", "zipnum", ...files, "-o", path("out")]);
  const first = readFileSync(path("out.gz"));
  expect(members()).toHaveLength(2);
  await runCli(["cdx", "zipnum", "--memory", "1M", ...files, "-o", path("out")]);
  expect(readFileSync(path("out.gz")).equals(first)).toBe(true);
});

test("a file that is not sorted leaves the old files as they were, and no other", async () => {
  for (const end of ["gz", "idx", "loc"]) write(`out.${end}`, `old ${end}`);
  const file = write("in.cdx", sorted(captures(7000)) + capture("a"));
  const { code, stderr } = await runCli(["cdx", "zipnum", file, "-o", path("out")]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${file}, line 7001: it comes before`),
  ]);
  for (const end of ["gz", "idx", "loc"]) {
    expect(readFileSync(path(`out.${end}`), "utf8")).toBe(`old ${end}`);
  }
  expect(readdirSync(path(""))).toHaveLength(4);
});

test.each([
  ["nothing", ""],
  ["a header", HEADER],
  ["two headers", HEADER + HEADER],
  ["a header that is cut", HEADER.trimEnd()],
])(
  "an index of %s has the header in one member, which the index does not name",
  async (_, text) => {
    const { stderr } = await runCli(["cdx", "zipnum", "-o", path("out")], text);
    expect(stderr).toContain("0 lines in 1 member;");
    expect(members()).toEqual([]);
    expect(gunzipSync(readFileSync(path("out.gz"))).toString("latin1")).toBe(
      text === "" ? "" : HEADER,
    );
  },
);

test.each([[], ["-o", "-"]])("-o NAME is needed: %s", async (...args) => {
  const { code, stderr } = await runCli(["cdx", "zipnum", ...args]);
  expect([code, stderr]).toEqual([
    2,
    "urlmill: -o NAME is missing; see urlmill cdx zipnum --help\n",
  ]);
});
