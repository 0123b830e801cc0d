import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const rules = (...lines: readonly string[]) => `#urlmill-rules 1\n${lines.join("\n")}\n`;

describe("lists import", () => {
  test("writes rules with the list and its day, and says what it leaves out", async () => {
    const list = file("names.txt", "aid bid\n");
    const run = await runCli(["lists", "import", "--from", "firefox", "--day", "2026-11-26", list]);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toBe(rules("*\t*\tdrop & aid,AID,bid,BID\tlist:firefox 2026-11-26"));
    expect(run.stderr).toBe("urlmill: 1 rule for 1 site, with 4 names; 0 entries left out\n");
  });

  test.each([
    [["lists"], "lists needs a part: import, export, audit, diff"],
    [["lists", "imprt"], '"imprt" is not a part of lists'],
    [["lists", "import", "x"], "--from is missing"],
    [["lists", "import", "--from", "brav", "x"], "--from is one of"],
    [["lists", "import", "--from", "brave", "x", "y"], "takes one file"],
    [["lists", "import", "--from", "brave", "--day", "2026-13-01", "x"], "--day is a day"],
    [["lists", "export", "x"], "--to is missing"],
    [["lists", "export", "--to", "pywb", "x", "y"], "takes one file"],
    [["lists", "audit"], "needs a file of rules"],
    [["lists", "diff", "x"], "takes two files"],
  ])("%j is a wrong call", async (args, message) => {
    const refused = await runCli(args);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(message);
  });

  test("a file of another form ends with an error and writes nothing", async () => {
    const run = await runCli(["lists", "import", "--from", "brave", file("x.json", "{}")]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("does not have the form of Brave");
  });
});

test("lists export writes a file of pywb, and says what it leaves out", async () => {
  const list = file("kept.tsv", rules("a.example\t*\tkeep", "a.example\t*\tsort"));
  const run = await runCli(["lists", "export", "--to", "pywb", list]);
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("    - url_prefix: 'example,a)/'\n      fuzzy_lookup: '()'\n");
  expect(run.stderr.split("\n")).toEqual([
    "urlmill: a.example\t*\tsort: sort is not one of keep, drop and dropif",
    "urlmill: 1 rule for pywb; 1 left out",
    "",
  ]);
});

describe("lists audit", () => {
  const lines = ["a.example", "b.example", "b.example:81"].flatMap((site) =>
    Array.from({ length: 60 }, (_, id) =>
      [1, 2].flatMap((n) => [
        {
          url: `http://${site}/${id}?sid=${n}`,
          fp: `cls:${site} ${id} ${site === "a.example" ? "" : n}`,
        },
        { url: `http://${site}/p${id}?cb=${n}`, fp: `cls:${site} p${id}` },
      ]),
    ).flat(),
  );
  const crawl = () =>
    file("crawl.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

  test("judges each name by site, and writes what to keep with its evidence", async () => {
    const list = file(
      "list.tsv",
      rules(
        "*\t*\tdrop sid,none\tlist:x 2026-11-26",
        "*.example\t*\tdropif cb=<N>\tlist:x 2026-11-26",
        "\tunless\tb.example\t*",
        "*.b.example\t*\tdrop sid\tlist:x 2026-11-26",
        "a.example\t*\tunwrap u\tlist:x 2026-11-26",
        "b.example\t*\thost b.example => a.example\tlist:x 2026-11-26",
      ),
    );
    const kept = join(folder, "kept.tsv");
    const run = await runCli(["lists", "audit", list, crawl(), "-o", kept]);
    expect(run.code).toBe(0);
    const rows = run.stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split("\t"));
    expect(
      rows.map(([verdict, on, , right, wrong]) => [verdict, on, right, wrong].join(" ")),
    ).toEqual([
      "verdict on right wrong",
      "harmful all 0 60",
      "harmful b.example 0 60",
      "keep all 60 120",
      "keep a.example 60 0",
      "harmful b.example 0 60",
      "harmful b.example:81 0 60",
      "keep all 60 0",
      "keep a.example 60 0",
    ]);
    expect(readFileSync(kept, "utf8")).toBe(
      rules(
        "*\t*\tdrop sid\tfingerprint n=60 ok=60 lb=.9398",
        "\tunless\tb.example\t*",
        "*.example\t*\tdropif cb=<N>\tfingerprint n=60 ok=60 lb=.9398",
        "\tunless\tb.example\t*",
      ),
    );
    expect(run.stderr).toContain(
      "6 names and rules: 2 to keep, 1 harmful, 0 without evidence, 1 that change no URL, 1 with unwrap that no audit judges, 1 with host that no audit judges",
    );
    const urls = file("urls.txt", "http://a.example/1?sid=2\nhttp://b.example/1?sid=2\n");
    const applied = await runCli(["normalize", "--rules", kept, urls]);
    expect(applied.stdout).toBe("http://a.example/1\nhttp://b.example/1?sid=2\n");
  });

  test("says that a list without fingerprints tells nothing", async () => {
    const list = file("one.tsv", rules("*\t*\tdrop sid"));
    const urls = file("plain.txt", "http://a.example/1?sid=2\nhttp://a.example/1?sid=3\n");
    const run = await runCli(["lists", "audit", list, urls]);
    expect(run.stdout).toContain("no evidence\tall\t2\t0\t0\t0.0\t*\t*\tdrop sid");
    expect(run.stderr).toContain("no fingerprints, so nothing tells pages apart");
  });
});

test("lists diff compares names, whatever their order and evidence, and forms of URLs", async () => {
  const old = file("old.tsv", rules("*\t*\tdrop a,b\tlist:x 2026-11-25", "c.example\t*\tsort"));
  const now = file(
    "now.tsv",
    rules("*\t*\tdrop c,a\tlist:x 2026-11-26", "c.example\t*\tsort", "\tunless\t*\t/p"),
  );
  const urls = file("both.txt", "http://x.example/?b=1\nnot a URL\nhttp://x.example/?a=1\n");
  const run = await runCli(["lists", "diff", old, now, urls]);
  expect(run.code).toBe(0);
  expect(run.stdout).toBe(
    [
      "-\t*\t*\tdrop b",
      "-\tc.example\t*\tsort",
      "+\t*\t*\tdrop c",
      "+\tc.example\t*\tsort\tunless\t*\t/p",
      "=\thttp://x.example/?b=1\thttp://x.example/\thttp://x.example/?b=1",
      "",
    ].join("\n"),
  );
  expect(run.stderr).toContain(
    "2 gone, 2 new, 1 as before; 1 of 2 URLs with another normalized form",
  );
});
