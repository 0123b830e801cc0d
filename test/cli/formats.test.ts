import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli, runShell } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data?: string | Uint8Array): string => {
  const path = join(folder, name);
  if (data !== undefined) writeFileSync(path, data);
  return path;
};

const TSV = "1\tHTTP://A.com\tx\n2\thttp://a.com/\ty\n3\tnone\tz\n4\n";
const JSONL =
  '{"id": 1, "url": "HTTP://A.com"}\n\n{"url":"http:\\/\\/a.com\\/", "id": 2}\n{"id": 3}\n';
const CDX = " CDX N b a m\ncom,a)/ 1 HTTP://A.com t\ncom,a)/ 2 http://a.com/ t\n";
const CDXJ = 'com,a)/ 1 {"url": "HTTP://A.com"}\ncom,a)/ 2 {"url": "http://a.com/"}\n';
const SITEMAP =
  "<urlset><url><loc>HTTP://A.com/?b&amp;c</loc></url>\n<url><loc>http://a.com/?b&amp;c</loc></url></urlset>\n";

describe.each(sampleOf(ENGINES, 2))("formats (%s)", (engine) => {
  const cli = async (input: string, ...args: string[]) =>
    (await runCli([...args, "--engine", engine], input)).stdout;

  test("normalize writes the key in the place of the URL", async () => {
    expect(await cli(TSV, "normalize", "--format", "tsv", "--field", "2")).toBe(
      TSV.replace("HTTP://A.com", "http://a.com/"),
    );
    expect(await cli(JSONL, "normalize", "--format", "jsonl")).toBe(
      JSONL.replace("HTTP://A.com", "http://a.com/").replace(
        "http:\\/\\/a.com\\/",
        "http://a.com/",
      ),
    );
    expect(await cli(CDX, "normalize", "--format", "cdx")).toBe(
      CDX.replace("HTTP://A.com", "http://a.com/"),
    );
    expect(await cli(CDXJ, "normalize", "--format", "cdxj")).toBe(
      CDXJ.replace("HTTP://A.com", "http://a.com/"),
    );
    expect(await cli(SITEMAP, "normalize", "--format", "sitemap")).toBe(
      SITEMAP.replace("HTTP://A.com/", "http://a.com/"),
    );
  });

  test("normalize --emit both writes it after", async () => {
    expect(await cli("HTTP://A.com\nx\n", "normalize", "--emit", "both")).toBe(
      "http://a.com/\tHTTP://A.com\n\tx\n",
    );
    expect(await cli(TSV, "normalize", "--format", "tsv", "--field", "2", "--emit", "both")).toBe(
      "1\tHTTP://A.com\tx\thttp://a.com/\n2\thttp://a.com/\ty\thttp://a.com/\n3\tnone\tz\t\n4\n",
    );
    const surt = ["--form", "surt", "--emit", "both"];
    expect(await cli(CDX, "normalize", "--format", "cdx", ...surt)).toBe(
      " CDX N b a m A\ncom,a)/ 1 HTTP://A.com t com,a)/\ncom,a)/ 2 http://a.com/ t com,a)/\n",
    );
  });

  test("dedupe keeps the first record of a key, and what has none", async () => {
    expect(await cli(TSV, "dedupe", "--format", "tsv", "--field", "2")).toBe(
      "1\tHTTP://A.com\tx\n3\tnone\tz\n4\n",
    );
    expect(await cli(JSONL, "dedupe", "--format", "jsonl")).toBe(
      '{"id": 1, "url": "HTTP://A.com"}\n\n{"id": 3}\n',
    );
    expect(await cli(CDX, "dedupe", "--format", "cdx", "--emit", "normalized")).toBe(
      " CDX N b a m\ncom,a)/ 1 http://a.com/ t\n",
    );
    expect(await cli(CDXJ, "dedupe", "--format", "cdxj")).toBe(
      'com,a)/ 1 {"url": "HTTP://A.com"}\n',
    );
    expect(await cli(SITEMAP, "dedupe", "--format", "sitemap")).toBe(
      "<urlset><url><loc>HTTP://A.com/?b&amp;c</loc></url>\n</urlset>\n",
    );
  });

  test("a record without a URL is an error with its number", async () => {
    const errors = file(`errors-${engine}`);
    const args = ["--format", "tsv", "--field", "2", "--errors", errors];
    await cli(TSV, "normalize", ...args);
    expect(readFileSync(errors, "utf8")).toBe("3\tNO_SCHEME\tnone\n4\tNO_FIELD\t4\n");
    expect(await cli(TSV, "dedupe", ...args, "--on-error", "empty")).toBe("1\tHTTP://A.com\tx\n");
    const failed = await runCli(["dedupe", ...args, "--on-error", "fail"], TSV);
    expect(failed).toMatchObject({
      code: 1,
      stdout: "1\tHTTP://A.com\tx\n",
      stderr: "urlmill: line 3 is not a URL (NO_SCHEME); stopped (--on-error fail)\n",
    });
  });

  test("--map lists merged records of a format", async () => {
    const map = file(`map-${engine}`);
    await cli(TSV, "dedupe", "--format", "tsv", "--field", "2", "--map", map);
    expect(readFileSync(map, "utf8")).toBe("http://a.com/\t2\thttp://a.com/\ty\n");
  });
});

describe("compression", () => {
  const urls = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, row) => `http://a.com/${from + row}\n`).join("");
  const all = urls(0, 30_000);
  const parts = [urls(0, 1), urls(1, 20_000), urls(20_000, 30_000)].map((part) =>
    Buffer.from(part),
  );

  test("gzip of several members is read from a file and from standard input", async () => {
    const gz = Buffer.concat(parts.map((part) => zlib.gzipSync(part)));
    expect((await runCli(["normalize", file("a.bin", gz)])).stdout).toBe(all);
    expect((await runCli(["normalize"], gz)).stdout).toBe(all);
  });

  test("zstd of several frames is read, on every Node", async () => {
    const zst = readFileSync(new URL("../fixtures/frames.zst", import.meta.url));
    const expected = "http://a.com/1\nhttp://a.com/2\nhttp://a.com/3\n";
    expect((await runCli(["normalize"], zst)).stdout).toBe(expected);
    expect((await runCli(["normalize", file("a.zst", zst)])).stdout).toBe(expected);
  });

  test("damaged and cut data are errors that name the file", async () => {
    const gz = zlib.gzipSync(all);
    const cut = file("cut.gz", gz.subarray(0, gz.length - 20));
    expect(await runCli(["normalize", cut])).toMatchObject({
      code: 1,
      stderr: `urlmill: cannot read ${cut}: its compressed data end too early\n`,
    });
    const bad = file("bad.gz", Buffer.from(gz).fill(7, 100, 200));
    expect(await runCli(["normalize", bad])).toMatchObject({
      code: 1,
      stderr: `urlmill: cannot read ${bad}: its compressed data are damaged\n`,
    });
    const zst = readFileSync(new URL("../fixtures/frames.zst", import.meta.url));
    expect(await runCli(["normalize"], zst.subarray(0, zst.length - 5))).toMatchObject({
      code: 1,
      stderr: "urlmill: cannot read standard input: its compressed data end too early\n",
    });
    const checked = readFileSync(new URL("../fixtures/checked.zst", import.meta.url));
    const flipped = Buffer.from(checked);
    (flipped[40] as number) ^= 1;
    const result = await runCli(["normalize"], flipped);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(
      /^urlmill: cannot read standard input: its compressed data are damaged \(.*\)\n$/,
    );
  });

  test("the output is compressed by its name", async () => {
    const gz = file("out.gz");
    expect(await runCli(["normalize", "-o", gz], all)).toMatchObject({ code: 0, stdout: "" });
    expect(zlib.gunzipSync(readFileSync(gz)).toString()).toBe(all);
    const zst = file("out.zst");
    const result = await runCli(["dedupe", "--output", zst], all);
    if ("zstdDecompressSync" in zlib) {
      const decompress = zlib.zstdDecompressSync as (data: Uint8Array) => Buffer;
      expect(decompress(readFileSync(zst)).toString()).toBe(all);
      // The flag of a content checksum, in the frame header descriptor.
      expect((readFileSync(zst)[4] as number) & 4).toBe(4);
    } else {
      expect(result).toMatchObject({
        code: 1,
        stderr: `urlmill: cannot write ${zst}: writing .zst takes Node 22.15 or newer; .gz works here\n`,
      });
    }
  });
});

describe("files", () => {
  test("a file is not read and written, or written twice, by one run", async () => {
    const list = file("list.txt", "http://a.com/\n");
    const out = file("new.txt");
    for (const [args, message] of [
      [["-o", list], /list\.txt cannot be read and written by the same run/],
      [["--errors", list], /list\.txt cannot be read and written/],
      [["-o", out, "--errors", out], /new\.txt cannot be written twice by the same run/],
    ] as const) {
      const result = await runCli(["normalize", list, ...args]);
      expect(result.code).toBe(2);
      expect(result.stderr).toMatch(message);
      expect(existsSync(out)).toBe(false);
    }
    expect(readFileSync(list, "utf8")).toBe("http://a.com/\n");
  });

  test.runIf(process.platform === "linux")("a full disk is an error in one line", async () => {
    for (const args of [["normalize"], ["dedupe", "--threads", "1"]]) {
      expect(await runCli([...args, "-o", "/dev/full"], "http://a.com\n")).toMatchObject({
        code: 1,
        stderr: "urlmill: cannot write /dev/full: the disk is full\n",
      });
    }
  });

  test("may be empty, and are refused where one is missing or a folder", async () => {
    expect(await runCli(["normalize", file("empty", "")])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const csv = ["dedupe", "--format", "csv", "--field", "1"];
    expect(await runCli(csv, "")).toEqual({ code: 0, stdout: "", stderr: "" });
    const missing = file("missing");
    expect(await runCli(["dedupe", missing])).toMatchObject({
      code: 1,
      stderr: `urlmill: cannot read ${missing}: there is no such file\n`,
    });
    expect((await runCli(["dedupe", folder])).stderr).toBe(
      `urlmill: cannot read ${folder}: it is a folder; -r reads the files in it\n`,
    );
  });

  test.skipIf(process.platform === "win32")("may not be standard input that is a folder", () => {
    for (const command of ["dedupe -o kept", "normalize -", "seen import set"]) {
      file("kept", "http://a.com/\n");
      expect(runShell(`urlmill ${command} < .`, folder)).toEqual({
        code: 1,
        stdout: "",
        stderr: "urlmill: cannot read standard input: it is a folder\n",
      });
      expect(readFileSync(join(folder, "kept"), "utf8")).toBe("http://a.com/\n");
    }
  });

  test("a last line without its end gets one before the next file", async () => {
    const one = file("one", "http://a.com/");
    const two = file("two", "http://b.com/\n");
    expect((await runCli(["dedupe", one, two])).stdout).toBe("http://a.com/\nhttp://b.com/\n");
  });
});

describe.each(sampleOf(ENGINES, 2))("tables with a header (%s)", (engine) => {
  const TABLE = "id\turl\n1\tHTTP://A.com\n2\thttp://a.com/\n3\n";
  const cli = (...args: string[]) => runCli([...args, "--format", "tsv", "--engine", engine]);

  test("dedupe keeps the header once, over several files and threads", async () => {
    const [a, b] = [file("a.tsv", TABLE), file("b.tsv", `${TABLE}4\thttp://b.com/\n`)];
    for (const threads of ["1", "2"]) {
      const { stdout } = await cli("dedupe", "--field", "url", "--threads", threads, a, b);
      expect(stdout).toBe("id\turl\n1\tHTTP://A.com\n3\n4\thttp://b.com/\n");
    }
  });

  test("--emit both names the column of the key", async () => {
    const a = file("a.tsv", TABLE);
    const { stdout } = await cli("normalize", "--header", "--emit", "both", a);
    expect(stdout).toBe(
      "id\turl\tnormalized_url\n1\tHTTP://A.com\thttp://a.com/\n2\thttp://a.com/\thttp://a.com/\n3\n",
    );
  });

  test("a column that is not there, or another header, ends the run with 2", async () => {
    const a = file("a.tsv", TABLE);
    const missing = await cli("dedupe", "--field", "link", a);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(`no column "link" in the TSV header; the columns are id, url`);
    const other = await cli("dedupe", "--header", a, file("c.tsv", "url\nhttp://c/\n"));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("has another header than the file before it");
  });

  test("errors count the lines of each file", async () => {
    const a = file("a.tsv", TABLE);
    const errors = file("errors.tsv");
    await cli("normalize", "--header", "--errors", errors, a, a);
    expect(readFileSync(errors, "utf8")).toBe("4\tNO_FIELD\t3\n8\tNO_FIELD\t3\n");
  });
});

test("dedupe reads a crawl.log as learn does", async () => {
  const line = (url: string) =>
    `2020-01-01T00:00:00.000Z   200   12 ${url} L - t #1 - sha1:X - -\n`;
  const text = line("HTTP://A.com") + line("http://a.com/") + line("dns:a.com");
  const { stdout } = await runCli(["dedupe", "--format", "crawl-log"], text);
  expect(stdout).toBe(line("HTTP://A.com") + line("dns:a.com"));
});
