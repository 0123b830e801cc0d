import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, IS_LONG, sampleOf, shareOf } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse } from "../shared/warc.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

const LIST = write(
  "list.txt",
  "# a comment\n\nexample.org\r\n=solo.net # alone\npaths.com/a/\n/*.g%69f\n",
);
/** Lines, and whether LIST has them. */
const LINES: readonly (readonly [line: string, isListed: boolean])[] = [
  ["http://ok.com/", false],
  ["http://example.org/", true],
  ["https://a.b.EXAMPLE.org./x", true],
  ["http://u:p@example.org:8080/", true],
  ["http://ex%61mple.org", true],
  ["ftp://example.org/x", true],
  ["http://notexample.org/", false],
  ["http://example.org.ok.com/", false],
  ["http://solo.net/", true],
  ["http://www.solo.net/", false],
  ["http://paths.com/a/b", true],
  ["https://u@PATHS.com./%61/", true],
  ["http://paths.com/a", false],
  ["http://paths.com:81/a/b", false],
  ["http://ok.com/a/b.gif?x#y", true],
  ["http://ok.com/b.GIF/?c=/d.gif#/e.gif", false],
  ["not a url", false],
  ["not a url", false],
  ["http://OK.com", false],
];
const TEXT = LINES.map(([line]) => `${line}\n`).join("");
const linesWhere = (isListed: boolean): string[] =>
  LINES.flatMap(([line, listed]) => (listed === isListed ? [line] : []));
const INPUT = write("input.txt", TEXT);

describe.each(ENGINES)("urlmill --block and --allow (--engine %s)", (engine) => {
  const run = (command: string, ...args: string[]) =>
    runCli([command, "--engine", engine, ...args], TEXT);

  test("dedupe leaves blocked lines out, counts and lists them", async () => {
    const errors = path(`errors-${engine}.tsv`);
    const result = await run("dedupe", "--block", LIST, "--stats", "--errors", errors);
    expect(result.stdout.split("\n").slice(0, -1)).toEqual(linesWhere(false).slice(0, -2));
    expect(JSON.parse(result.stderr)).toMatchObject({
      lines: 19,
      blocked: 9,
      errors: 11,
      duplicates: 2,
      errorsByCode: { BLOCKED: 9, NO_SCHEME: 2 },
    });
    const listed = readFileSync(errors, "utf8")
      .split("\n")
      .filter((line) => line.includes("BLOCKED"));
    expect(listed.map((line) => line.split("\t")[2])).toEqual(linesWhere(true));
  });

  test("dedupe says how many lines are blocked, and does not call them errors of URLs", async () => {
    const { stderr } = await run("dedupe", "--block", LIST);
    expect(stderr).toContain("9 lines are blocked, left out\n");
    expect(stderr).toContain("2 lines are not URLs");
  });

  test("normalize keeps, empties or stops at a blocked line, by --on-error", async () => {
    const kept = linesOf(Buffer.from((await run("normalize", "--block", LIST)).stdout, "latin1"));
    expect(kept.filter((_, row) => LINES[row]?.[1])).toEqual(linesWhere(true));
    const emptied = (await run("normalize", "--block", LIST, "--on-error", "empty")).stdout;
    const empty = emptied
      .split("\n")
      .slice(0, -1)
      .map((line) => line === "");
    expect(empty).toEqual(LINES.map(([line, listed]) => listed || line === "not a url"));
    const failed = await run("normalize", "--block", LIST, "--on-error", "fail");
    expect(failed).toMatchObject({
      code: 1,
      stdout: "http://ok.com/\n",
      stderr: "urlmill: line 2 is blocked; stopped (--on-error fail)\n",
    });
  });

  test("dedupe does not stop at a blocked line with --on-error fail", async () => {
    const input = "http://example.org/\nhttp://ok.com/\n";
    const args = ["dedupe", "--engine", engine, "--block", LIST, "--on-error", "fail"];
    expect(await runCli(args, input)).toMatchObject({ code: 0, stdout: "http://ok.com/\n" });
  });

  test("--allow keeps the URLs of its list, and --block wins", async () => {
    const { stdout } = await run("dedupe", "--allow", LIST, "--on-error", "empty");
    expect(stdout.split("\n").slice(0, -1)).toEqual(linesWhere(true).filter(isFirst));
    const block = write("more.txt", "solo.net\nhttps://paths.com/\n");
    const both = await run("dedupe", "--allow", LIST, "--block", block, "--on-error", "empty");
    const rest = linesWhere(true).filter(
      (line) => isFirst(line) && !/solo|^https.*PATHS/.test(line),
    );
    expect(both.stdout.split("\n").slice(0, -1)).toEqual(rest);
  });

  test("every mode and form writes the same lines", async () => {
    const expected = linesWhere(false).slice(0, -2).join("\n");
    const json = LINES.map(([url], n) => `${JSON.stringify({ n, url })}\n`).join("");
    const rows = LINES.map(([url], n) => `${n}\t${url}\n`).join("");
    const inputs = [
      [INPUT],
      ["-"],
      ["-", "--threads", "2"],
      ["-", "--map", path("map.tsv")],
      ["--format", "jsonl", write("a.jsonl", json)],
      ["--format", "jsonl", write("a.jsonl.gz", gzipSync(json)), "--threads", "2"],
      ["--format", "tsv", "--field", "2", write("a.tsv", rows)],
      [INPUT, "--threads", "2"],
    ];
    for (const input of shareOf(inputs, engine, 3)) {
      const { stdout } = await run("dedupe", "--block", LIST, ...input);
      const urls = stdout.split("\n").slice(0, -1).map(urlIn);
      expect(urls.join("\n")).toBe(input.includes("-") || input[0] === INPUT ? expected : urlsOnly);
    }
  });

  test.runIf(IS_LONG || engine === "js")("leaves out rows of Parquet", async () => {
    const file = writeColumns(
      path(`rows-${engine}.parquet`),
      [{ name: "url", data: [...LINES.map(([url]) => url), null], type: "STRING", nullable: true }],
      5,
    );
    for (const threads of shareOf(["1", "2"], engine)) {
      const out = path(`out-${engine}.parquet`);
      const args = ["dedupe", "--block", LIST, "--threads", threads, "--stats", file, "-o", out];
      const { stderr } = await run(args[0] as string, ...args.slice(1));
      expect(JSON.parse(stderr)).toMatchObject({ blocked: 9, duplicates: 2 });
      const urls = (await readParquet(out)).rows.map(({ url }) => url);
      expect(urls).toEqual([...linesWhere(false).slice(0, -2), null]);
      await run("normalize", "--block", LIST, "--on-error", "empty", file, "-o", out);
      const empty = (await readParquet(out)).rows.map(({ url }) => url === "");
      expect(empty).toEqual([
        ...LINES.map(([line, listed]) => listed || line === "not a url"),
        false,
      ]);
    }
  });

  test("counts, keeps and excludes rows of Parquet as if blocked ones were not there", async () => {
    const columns = (lines: readonly string[]) =>
      [{ name: "url", data: [...lines], type: "STRING", nullable: false }] as const;
    const all = writeColumns(
      path(`all-${engine}.parquet`),
      [...columns(LINES.map(([url]) => url))],
      5,
    );
    const kept = writeColumns(path(`kept-${engine}.parquet`), [...columns(linesWhere(false))], 5);
    const out = path(`ways-${engine}.parquet`);
    const rowsOf = async (...args: string[]) => {
      await run("dedupe", ...args, "-o", out);
      return (await readParquet(out)).rows;
    };
    const map = path(`ways-${engine}.tsv`);
    const ways = [["-c"], ["--map", map], ["-d"], ["--keep", "last"]];
    for (const way of shareOf(ways, engine, 4)) {
      const expected = await rowsOf(...way, kept);
      const merged = way[0] === "--map" ? readFileSync(map, "utf8") : "";
      expect([way, await rowsOf(...way, "--block", LIST, all)]).toEqual([way, expected]);
      if (way[0] === "--map") expect(readFileSync(map, "utf8")).toBe(merged);
    }
  });

  test("leaves out URLs of web archives", async () => {
    const archive = write(
      "a.warc",
      linesWhere(true)
        .concat("http://ok.com/")
        .map((url) => warcResponse(url))
        .join(""),
    );
    const args = ["dedupe", "--engine", engine, "--format", "warc", "--block", LIST, archive];
    expect((await runCli(args)).stdout).toBe("http://ok.com/\n");
  });

  test.runIf(IS_LONG || engine === "wasm")("does not add blocked URLs to --seen", async () => {
    const seen = path(`seen-${engine}`);
    const input = "http://example.org/\nhttp://ok.com/\n";
    const args = ["dedupe", "--engine", engine, "--seen", seen];
    await runCli([...args, "--block", LIST], input);
    expect((await runCli(args, input)).stdout).toBe("http://example.org/\n");
  });

  test("counts, keeps and excludes as if blocked lines were not there", async () => {
    const kept = `${linesWhere(false).join("\n")}\n`;
    const exclude = write("exclude.txt", "http://ok.com/\nhttp://example.org/\n");
    const map = path(`map-${engine}.tsv`);
    await runCli(["dedupe", "--map", map, write("kept.txt", kept), "-o", path("kept-out.txt")]);
    const merged = readFileSync(map, "utf8");
    await runCli(["dedupe", "--block", LIST, "--map", map, INPUT, "-o", path("kept-out.txt")]);
    expect(readFileSync(map, "utf8")).toBe(merged);
    const ways = [["-c"], ["-d"], ["--keep", "last"], ["--exclude", exclude]];
    for (const way of shareOf(ways, engine)) {
      const blocked = await run("dedupe", "--block", LIST, ...way, "--stats");
      const plain = await runCli(["dedupe", "--engine", engine, ...way], kept);
      expect([way, blocked.stdout]).toEqual([way, plain.stdout]);
      expect(JSON.parse(blocked.stderr)).toMatchObject({ lines: 19, blocked: 9 });
    }
  });

  test("holds for endings of paths, of any host, where options move them", async () => {
    const list = write("endings.txt", "/*.JPG\n/*/print/ # pages\n/*/index.html\n/*ü\nok.com\n");
    const input = [
      "http://a.org/x.JPG?a",
      "ftp://u@[::1]:21/x.JPG",
      "file:///x.JPG",
      "http://a.org/1/print/",
      "http://a.org/print",
      "http://a.org/x%C3%BC",
      "http://a.org/index.html",
      "http://a.org?x.JPG",
      "mailto:a/x.JPG",
      "http://ok.com/",
    ];
    const text = `${input.join("\n")}\n`;
    const plain = await runCli(["dedupe", "--engine", engine, "--block", list], text);
    expect(plain.stdout).toBe("http://a.org/print\nhttp://a.org?x.JPG\nmailto:a/x.JPG\n");
    const options = ["--case", "lower-path", "--trailing-slash", "remove", "--directory-index"];
    const args = ["dedupe", "--engine", engine, "--block", list, ...options, "true"];
    const moved = await runCli(args, text);
    expect(moved.stdout).toBe("http://a.org/index.html\nhttp://a.org?x.JPG\nmailto:a/x.JPG\n");
    const block = write("endings-block.txt", "a.org\n");
    const allow = ["normalize", "--engine", engine, "--allow", list, "--block", block];
    const kept = await runCli([...allow, "--on-error", "empty"], text);
    const lines = ["ftp://u@[::1]/x.JPG", "file:///x.JPG", "http://ok.com/"];
    expect(kept.stdout.split("\n").filter((line) => line !== "")).toEqual(lines);
  });

  test("holds for hosts and prefixes that options move", async () => {
    const list = write(
      "moved.txt",
      "www.example.org\nhttp://www.paths.com/a/\nhttp://SLASH.com/A/\n",
    );
    const input = [
      "http://www.example.org/x",
      "http://example.org/x",
      "http://blog.example.org/",
      "http://www.paths.com/a/b",
      "http://paths.com/a",
      "http://slash.com/A/",
      "http://slash.com/B/",
    ];
    const { stdout } = await runCli(
      ["dedupe", "--engine", engine, "--preset", "aggressive", "--block", list],
      `${input.join("\n")}\n`,
    );
    expect(stdout).toBe("http://blog.example.org/\nhttp://slash.com/B/\n");
  });
});

/** Returns whether a line of LIST is not the same URL as one before. */
const isFirst = (line: string): boolean => !line.includes("%61mple");

const urlsOnly = linesWhere(false).slice(0, -3).concat("not a url", "not a url").join("\n");

function urlIn(line: string): string {
  if (line.startsWith("{")) return (JSON.parse(line) as { url: string }).url;
  return line.split("\t").at(-1) as string;
}

test("a list may be compressed, and there may be several", async () => {
  const gz = write("list.txt.gz", gzipSync("ok.com\n"));
  const { stdout } = await runCli(["dedupe", "--block", LIST, "--block", gz], TEXT);
  expect(stdout).not.toContain("http://ok.com/");
  expect(stdout).not.toContain("solo.net/\nhttp://solo");
});

test("a list of many hosts blocks each of them, on one thread and on two", async () => {
  const hosts = Array.from(
    { length: atLength(8_000, 200_000) },
    (_, n) => `${n.toString(36)}.list${n % 977}.org`,
  );
  const list = write("large.txt", hosts.join("\n"));
  // More than one chunk of 1 MiB.
  const page = "p".repeat(atLength(60, 0));
  const urls = hosts.map(
    (host, n) => `https://${n % 2 ? "a." : ""}${host}/${page}\nhttp://x${host}/${page}\n`,
  );
  const input = write("large-input.txt", urls.join(""));
  const expected = hosts.map((host) => `http://x${host}/${page}\n`).join("");
  for (const threads of sampleOf(["1", "2"], 2)) {
    const { stdout } = await runCli(["dedupe", "--threads", threads, "--block", list, input]);
    expect(stdout === expected).toBe(true);
  }
});

test("real URLs pass a list of other hosts, and their own hosts block them all", async () => {
  const lines = sampleOf(linesOf(readCorpus()), 11).filter(
    (line) => /^https?:\/\/[a-z0-9.-]+[a-z]\//.test(line) && URL.canParse(line),
  );
  const input = write("real.txt", Buffer.from(`${lines.join("\n")}\n`, "latin1"));
  const others = write("others.txt", lines.map((line) => `x${new URL(line).hostname}\n`).join(""));
  const own = write("own.txt", lines.map((line) => `=${new URL(line).hostname}\n`).join(""));
  const all = await runCli(["normalize", input]);
  expect((await runCli(["normalize", "--block", others, input])).stdout).toBe(all.stdout);
  expect((await runCli(["dedupe", "--block", own, input])).stdout).toBe("");
});

test("lists are read as they are published: hosts files, AdBlock, response policy zones", async () => {
  const text = [
    "a.org",
    "www.a.org",
    "b.org",
    "www.b.org",
    "c.org",
    "www.c.org",
    "d.org",
    "www.d.org",
  ].map((host) => `http://${host}/\n`);
  const left = async (...lines: string[]): Promise<string[]> => {
    const list = write("published.txt", lines.join("\n"));
    const { stdout, code } = await runCli(["dedupe", "--block", list], text.join(""));
    expect(code).toBe(0);
    return stdout.match(/[^/]+\.org/g) ?? [];
  };
  const hosts = [
    "# Title: x",
    "127.0.0.1 localhost",
    "::1 ip6-localhost",
    "255.255.255.255 broadcasthost",
    "fe80::1%lo0 localhost",
    "0.0.0.0 0.0.0.0",
    "0.0.0.0\ta.org # ads",
    "127.0.0.1 www.b.org",
  ];
  expect(await left(...hosts)).toEqual([
    "www.a.org",
    "b.org",
    "c.org",
    "www.c.org",
    "d.org",
    "www.d.org",
  ]);
  const adblock = ["[Adblock Plus 2.0]", "! Title: x.org", "!", "||a.org^", "||www.b.org^"];
  expect(await left(...adblock)).toEqual(["b.org", "c.org", "www.c.org", "d.org", "www.d.org"]);
  const zone = [
    "$TTL 2h",
    "@ IN SOA localhost. root.localhost. (1 2 3 4 5)",
    " NS localhost.",
    "; x",
    "a.org CNAME .",
    "b.org. 60 IN CNAME .",
    "*.b.org CNAME .",
  ];
  expect(await left(...zone)).toEqual(["www.a.org", "c.org", "www.c.org", "d.org", "www.d.org"]);
});

test.each([
  ["192.168.0.9 nas.example.org", /line 2: .* gives a host the address 192\.168\.0\.9/],
  ["0.0.0.0 a.org b.org", /line 2: .* has 2 hosts; write each in a line: awk '/],
  ["||ads.example.org^$third-party", /has options of AdBlock; .*: sed 's/],
  ["||ads.example.org/x^", /names more than a host; .*: grep -E/],
  ["@@||ads.example.org^", /is an exception of AdBlock, .*: sed '\/\^@@\/d' FILE/],
  ["example.org##.ad", /is a filter of AdBlock that names more than a host/],
  ["two words", /has a space; write one entry per line/],
  [".example.org", /begins with a dot; write example\.org/],
  ["ads.*.org", /has a \* that is not at the beginning/],
  ["*.example.org/a/", /is not a host/],
  ["=example.org/a/", /is not a host/],
  ["example.org:8080", /has a port; .* example\.org:8080\/ means/],
  ["2001:db8::1", /needs brackets: \[2001:db8::1\]/],
  ["10.0.0.0/8", /looks like a network/],
  ["/a/b", /has no host/],
  ["/*", /means every URL/],
  ["/*.png*", /has a second \*/],
  ["/*.png?", /has a query/],
  ["/*.png$", /has a \$, which ends no entry; write \/\*\.png/],
  ["/*/..", /is not an ending/],
  [".png", /begins with a dot; write \/\*\.png/],
  ["file:///a/b", /has no host/],
  ["http://u@example.org/", /has a user name/],
  ["ex ample.org".replace(" ", "%"), /is not a host or a URL \(BAD_HOST\)/],
  ["a\u202eb.org", /is not a host or a URL \(BAD_IDN\)/],
  ["\x1b[31m.org", /"\\u\{1b\}\[31m\.org"/],
])("refuses the line %j of a list, and names it", async (line, message) => {
  const list = write("wrong.txt", `ok.com\n${line}\nmore.com\n`);
  const { code, stdout, stderr } = await runCli(["dedupe", "--block", list], TEXT);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr).toContain(`${list}, line 2: `);
});

test("refuses a list that is not there, is standard input, is written, or allows nothing", async () => {
  const missing = await runCli(["dedupe", "--block", path("none.txt")], TEXT);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toContain("none.txt");
  expect((await runCli(["dedupe", "--block", "-"], TEXT)).code).toBe(2);
  const written = await runCli(["dedupe", "--block", LIST, "-o", LIST], TEXT);
  expect(written.stderr).toContain("cannot be read and written");
  const empty = write("empty.txt", "# nothing\n");
  expect((await runCli(["dedupe", "--allow", empty], TEXT)).stderr).toContain("at least one entry");
  expect((await runCli(["dedupe", "--block", empty], TEXT)).code).toBe(0);
});

test("says that a type of files with a star is one of hosts, unless it can be of hosts", async () => {
  const list = write("types.txt", "*.zip\n*.a.PNG # pictures\n*.py\n");
  const note = `urlmill: ${list}, line 2: *.a.PNG means hosts, and png is not a top-level domain; /*.a.PNG means all URLs whose path ends so\n`;
  expect((await runCli(["dedupe", "--block", list], "")).stderr).toContain(note);
  expect((await runCli(["dedupe", "-q", "--block", list], "")).stderr).toBe("");
});
