import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";

/** Returns what `learn` says of rows with these columns after the URL. */
async function summaryOf(header: string, rowOf: (page: number) => string, ...flags: string[]) {
  const rows = Array.from({ length: 30 }, (_, page) =>
    ["", `&sid=${page}`].map((sid) => `http://a.org/t?id=${page}${sid}\t${rowOf(page)}`).join("\n"),
  );
  const { code, stderr } = await runCli(
    ["learn", ...flags],
    [`url\t${header}`, ...rows].join("\n"),
  );
  expect(code).toBe(0);
  return stderr;
}

test("learn names the column that fingerprints were taken from", async () => {
  const summary = await summaryOf("digest\tcluster", (page) => `${page % 2}\t${page}`);
  expect(summary).toContain(", pages told by cluster\n");
});

test("learn names each column that some fingerprint was taken from", async () => {
  const summary = await summaryOf("cls\traw", (page) => (page < 9 ? `${page}\t` : `\t${page}`));
  expect(summary).toContain(", pages told by cls and raw\n");
});

test("learn names the column that --fp names", async () => {
  const summary = await summaryOf("fp\thash", (page) => `cls:0\t${page}`, "--fp", "raw:hash");
  expect(summary).toContain(", pages told by hash\n");
});

test("learn names the member that fingerprints were taken from", async () => {
  const lines = Array.from(
    { length: 9 },
    (_, n) => `{"url":"http://a/${n}","sim":"${"0".repeat(16)}"}`,
  );
  const { stderr } = await runCli(["learn"], lines.join("\n"));
  expect(stderr).toContain(", pages told by sim\n");
});

test("learn names no column if pages are told by sizes", async () => {
  const summary = await summaryOf("fp\tsize", (page) => `cls:${page}\t${page}`, "--by", "sizes");
  expect(summary).not.toContain("told by");
});

test("learn says that it found no fingerprints in the columns it knows", async () => {
  const summary = await summaryOf("hash", String);
  expect(summary).toContain(", no fingerprints\n");
});

test("learn names the other columns that it read", async () => {
  const summary = await summaryOf("status\tfp\tsize", (page) => `200\tcls:${page}\t9`);
  expect(summary).toContain(", pages told by fp, read too: size and status\n");
});

test.each([
  ["fingerprint\ttitle", "fingerprint, title; --fp KIND:fingerprint takes"],
  ["title\tpath", "title, path; --fp KIND:NAME takes"],
  ["title\turl_sha1", "title, url_sha1; --fp KIND:NAME takes"],
  ["sim_hash\ttitle", "sim_hash, title; --fp KIND:sim_hash takes"],
])("learn names the columns of %j that it did not read", async (header, said) => {
  const summary = await summaryOf(header, (page) => `${page}\t${page}`);
  expect(summary).toContain(`fields that were not read: ${said} one as the fingerprint of pages\n`);
});

test.each(["sha1", "SHA256", "md5", "content_hash", "checksum", "payload-digest"])(
  "learn names the flag that takes %s as a hash of the page, and does not take it unasked",
  async (name) => {
    const summary = await summaryOf(`title\t${name}`, (page) => `x\t${page}`);
    expect(summary).toContain(", no fingerprints\n");
    expect(summary).toContain(
      `: title, ${name}; --fp raw:${name} takes one as the fingerprint of pages, if it is a hash of the page, not of its URL\n`,
    );
    const asked = await summaryOf(`title\t${name}`, (page) => `x\t${page}`, "--fp", `raw:${name}`);
    expect(asked).toContain("30 of 30 redundant URLs removed");
    expect(asked).toContain(`, pages told by ${name}\n`);
  },
);

test("learn names a hash of the page beside a fingerprint that it read", async () => {
  const summary = await summaryOf("cls\tcontent_hash", (page) => `${page}\t${page}`);
  expect(summary).toContain("not read: content_hash; --fp raw:content_hash takes one as");
});

test("learn quotes a name for the shell in the flag that it names", async () => {
  const summary = await summaryOf("page's md5", String);
  expect(summary).toContain("; --fp 'raw:page'\\''s md5' takes one as");
});

test.each([
  ["csv", (rows: string) => rows.replaceAll("\t", ",")],
  [
    "jsonl",
    (rows: string) =>
      rows.replace(/^.*\n/, "").replaceAll(/^(.*)\t(.*)$/gm, '{"url":"$1","sha1":"$2"}'),
  ],
])("learn takes a hash of the page that --fp names from %s", async (_, written) => {
  const rows = Array.from(
    { length: 60 },
    (__, n) => `http://a.org/t?id=${n >> 1}&sid=${n}\t${n >> 1}`,
  );
  const list = written(["url\tsha1", ...rows, ""].join("\n"));
  expect((await runCli(["learn"], list)).stderr).toContain("--fp raw:sha1 takes one");
  const { stderr } = await runCli(["learn", "--fp", "raw:sha1"], list);
  expect(stderr).toContain("30 of 30 redundant URLs removed");
});

test.each([
  ["cls\ttitle", []],
  ["fingerprint\ttitle", ["--by", "sizes"]],
  ["raw\thash", ["--fp", "cls:hash"]],
])("learn does not ask for another column than it read: %j", async (header, flags) => {
  const summary = await summaryOf(header, (page) => `${page}\t${page}`, ...flags);
  expect(summary).not.toContain("not read");
});

test("learn names the members of JSON lines and the columns of CSV that it did not read", async () => {
  const said = "urlmill: fields that were not read: hash; --fp raw:hash takes";
  const json = await runCli(
    ["learn", "--field", "page.url"],
    '{"page":{"url":"http://a/"},"hash":"x"}\n',
  );
  expect(json.stderr).toContain(said);
  const csv = await runCli(["learn", "--format", "csv"], "\xef\xbb\xbfurl,hash\nhttp://a/,x\n");
  expect(csv.stderr).toContain(said);
});

test.each(sampleOf([[], ["--threads", "2"]], 2))(
  "learn says that the budget alone refused a rule which removes much",
  async (...flags) => {
    // Of 500 pairs, 2 pages changed between the two fetches: the budget of 502 pages is 0.5. With exceptions for
    // the two, 1.5 pages are expected to be lost: another URL of a key counts as seen three times in four.
    const rows = Array.from({ length: 500 }, (_, page) => {
      const again = page % 250 === 7 ? `changed${page}` : page;
      return `http://a.org/t?id=${page}\tcls:${page}\nhttp://a.org/t?id=${page}&sid=${page}\tcls:${again}`;
    });
    const list = ["url\tfp", "http://b.org/\tcls:0", ...rows].join("\n");
    const { stderr } = await runCli(["learn", ...flags], list);
    expect(stderr).toMatch(
      /: a refused rule of a\.org removes 498 redundant URLs and loses 1\.5 pages, more than --max-page-loss 0\.001 allows: see --report\n$/,
    );
    const allowed = await runCli(["learn", "--max-page-loss", "0.003", ...flags], list);
    expect(allowed.stderr).toContain("498 of 498 redundant URLs removed");
    expect(allowed.stderr).not.toContain("refused");
  },
);
