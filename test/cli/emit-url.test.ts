import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { IS_LONG, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

/** A list in each format: two records of one URL, one of another, a text that is not a URL. */
const LISTS: Readonly<Record<string, string | Uint8Array>> = {
  "x.csv": 'id,url,note\n1,"HTTP://a/\n~",x\n2,http://a/%7e,\n3,http://b,z\n4,not,z\n5\n',
  "x.tsv": "url\tnote\nHTTP://a/~\tx\nhttp://a/%7e\t\nhttp://b\tz\nnot\tz\n",
  "x.jsonl":
    '{"id":1,"url":"HTTP:\\/\\/a/~"}\n{"url":"http://a/%7e"}\n{"url":"http://b"}\n{"url":"not"}\n{"id":2}\n',
  "x.cdx": " CDX N b a\na 2024 HTTP://a/~\na 2025 http://a/%7e\nb 2024 http://b\nn 2024 not\n",
  "x.xml":
    "<urlset><url><loc>HTTP://a/~</loc></url><url><loc>http://a/%7e</loc></url>\n<url><loc>http://b</loc></url><url><loc>not</loc></url></urlset>\n",
  "x.txt": "HTTP://a/~\nhttp://a/%7e\r\nhttp://b\nnot\n",
  "x.parquet": new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "id", data: [1, 2, 3, 4, 5], type: "INT32" },
        {
          name: "url",
          data: ["HTTP://a/\n~", "http://a/%7e", "http://b", "not", null],
          type: "STRING",
        },
      ],
    }),
  ),
};

/** Calls, and what they write of each list. */
const CALLS: readonly (readonly [call: string, written: RegExp])[] = [
  ["dedupe --emit url", /^HTTP:\/\/a\/~\nhttp:\/\/b\nnot\n$/],
  ["dedupe --emit normalized-url", /^http:\/\/a\/~\nhttp:\/\/b\/\nnot\n$/],
  ["dedupe --emit url --keep last --threads 2", /^http:\/\/a\/%7e\nhttp:\/\/b\nnot\n$/],
  ["normalize --emit url", /^HTTP:\/\/a\/~\nhttp:\/\/a\/%7e\nhttp:\/\/b\nnot\n$/],
  ["normalize --emit normalized-url", /^http:\/\/a\/~\nhttp:\/\/a\/~\nhttp:\/\/b\/\nnot\n$/],
  ["dedupe --emit url --on-error empty", /^HTTP:\/\/a\/~\nhttp:\/\/b\n$/],
  ["dedupe --emit normalized-url --form host -q", /^a\nb\n/],
];

describe.each(ENGINES)("--emit url and normalized-url, --engine %s", (engine) => {
  test.each(shareOf(Object.entries(LISTS), engine))("write URLs alone: %s", async (name, text) => {
    const list = join(folder, `${engine}-${name}`);
    writeFileSync(list, text);
    // In short runs, each list takes other calls.
    const own = Object.keys(LISTS).indexOf(name);
    for (const [call, expected] of CALLS.filter((_, at) => IS_LONG || (at + own) % 3 === 0)) {
      const { code, stdout } = await runCli([...call.split(" "), "--engine", engine, list]);
      expect(code).toBe(0);
      expect(stdout.replaceAll("\r", ""), call).toMatch(expected);
    }
  });
});

test.each([
  [["--format", "csv", "--count"], "no place for --count and --append; take the lines first"],
  [["--format", "parquet"], "Parquet is read from its end"],
])("--emit url is refused with %j", async (flags, reason) => {
  const { code, stderr } = await runCli(
    ["dedupe", "--emit", "url", ...flags],
    "url,n\nhttp://a,1\n",
  );
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});
