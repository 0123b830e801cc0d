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

test.each(sampleOf([[], ["--threads", "2"]], 2))(
  "learn says that the budget alone refused a rule which removes much",
  async (...flags) => {
    // Of 2,000 pairs, 8 pages changed between the two fetches: the budget of 2,008 pages is 2. With exceptions for
    // the 8, six pages are expected to be lost: another URL of a key counts as seen three times in four.
    const rows = Array.from({ length: 2000 }, (_, page) => {
      const again = page % 250 === 7 ? `changed${page}` : page;
      return `http://a.org/t?id=${page}\tcls:${page}\nhttp://a.org/t?id=${page}&sid=${page}\tcls:${again}`;
    });
    const list = ["url\tfp", "http://b.org/\tcls:0", ...rows].join("\n");
    const { stderr } = await runCli(["learn", ...flags], list);
    expect(stderr).toMatch(
      /: a refused rule of a\.org removes 1992 redundant URLs and loses 6\.0 pages, more than --max-page-loss 0\.001 allows: see --report\n$/,
    );
    const allowed = await runCli(["learn", "--max-page-loss", "0.003", ...flags], list);
    expect(allowed.stderr).toContain("1992 of 1992 redundant URLs removed");
    expect(allowed.stderr).not.toContain("refused");
  },
);
