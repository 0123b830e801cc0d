// The first inputs of each target, from the project's own fixtures.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createNormalizer } from "../../src/index.ts";
import { ALIASES_HEADER } from "../../src/site-rules/aliases/alias-file.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { writeColumns } from "../shared/parquet.ts";
import { CHECKSUM_FILE, SPARK_FILE } from "../shared/parquet-files.ts";
import { Random } from "../shared/random.ts";
import { randomListRules, randomRules, urlsForRules } from "../shared/random-rules.ts";

const SEEDS = 200;

const fixture = (name: string): Buffer => readFileSync(`test/fixtures/${name}`);

function urls(): Buffer[] {
  const lines = gunzipSync(fixture("urls-50k.txt.gz")).toString("latin1").split("\n");
  const random = new Random(1);
  const hostile = hostileUrls(1, SEEDS);
  return Array.from({ length: SEEDS }, (_, at) => {
    const own = at % 2 === 0 ? [random.pick(lines), random.pick(lines)] : [hostile[at]];
    return Buffer.from(`${String.fromCharCode(at)}${own.join("\n")}\n`, "latin1");
  });
}

/** The second byte says whether the first line is the base. */
function keys(): Buffer[] {
  return urls().map((lines, at) => Buffer.concat([Buffer.from([at, at >> 2]), lines.subarray(1)]));
}

function rules(): Buffer[] {
  const random = new Random(2);
  return Array.from({ length: SEEDS }, (_, at) => {
    const text = at % 2 === 0 ? randomRules(random, 2) : randomListRules(random, 2);
    const body = text.slice(text.indexOf("\n") + 1);
    return Buffer.from(`${body}\0${urlsForRules(random, 3).join("\n")}\n`, "latin1");
  });
}

function aliases(): Buffer[] {
  const random = new Random(3);
  return Array.from({ length: SEEDS }, () => {
    const line = `a.b\t/${random.pick(["x", "?a=1", "p?id=12"])}\t/${random.pick(["", "y?b", "z/"])}`;
    const text = `${ALIASES_HEADER}\n${line}\na.b\t/p?id=<20..99>\t/p\na.b\t/p?c&<*>\t/q\n`;
    const lines = ["http://a.b/x", "https://a.b/p?id=12&c", ...urlsForRules(random, 3)];
    return Buffer.from(`${text}\0${lines.join("\n")}\n`, "latin1");
  });
}

function plans(): Buffer[] {
  const random = new Random(4);
  return Array.from({ length: 40 }, (_, at) =>
    Buffer.from(
      createNormalizer({
        preset: at % 2 === 0 ? "safe" : "crawl",
        rules: randomRules(random, 1 + (at % 4)),
      }).plan,
    ),
  );
}

function records(): Buffer[] {
  const texts = [
    'url,b\n"http://a/?x=""1""",2\nhttp://b/,"c\nd"\n',
    '{"url":"http://a/\\u00e9","b":[1,{"c":null}]}\n{"b":1,"url":"x"}\n',
    "url\tb\nhttp://a/\\tb\t1\n",
    " CDX N b a m s k S\ncom,a)/ 2025 http://a.com/ text/html 200 B 9\n",
    'com,a)/ 2026 {"url":"http://a.com/"}\n',
    "http://a/\nnothing\n\n",
    '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a?b HTTP/1.1" 200 5 "http://a/" "x"\n',
    "<urlset><url><loc>http://a/?b&amp;c</loc></url></urlset>\n",
  ];
  return texts.flatMap((text) =>
    Array.from({ length: 16 }, (_, at) => Buffer.from(String.fromCharCode(at) + text, "latin1")),
  );
}

function tables(): Buffer[] {
  const texts = ['a,"b,c"\n1,"x""y\nz",2\n', 'a;b\r\n"1";2\r\n', 'x\t"y\ty"\n\n"', "a,b"];
  return texts.flatMap((text) =>
    Array.from({ length: 16 }, (_, at) =>
      Buffer.from(String.fromCharCode(at * 5) + text, "latin1"),
    ),
  );
}

/** Files of others, and two that hyparquet-writer makes. */
function parquetFiles(): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-seeds-"));
  const own = (["UNCOMPRESSED", "SNAPPY"] as const).map((codec) =>
    readFileSync(
      writeColumns(
        join(folder, `${codec}.parquet`),
        [
          {
            name: "url",
            data: Array.from({ length: 20 }, (_, row) =>
              row % 7 === 0 ? null : `http://a/${row >> 1}`,
            ),
            type: "STRING",
            nullable: true,
          },
          { name: "n", data: Array.from({ length: 20 }, (_, row) => row), type: "INT32" },
        ],
        10,
        codec,
      ),
    ),
  );
  return [SPARK_FILE, CHECKSUM_FILE, ...own];
}

/** Blocks of a journal, or steps of a set: the targets say how their bytes are read. */
function steps(): Buffer[] {
  const random = new Random(5);
  return Array.from({ length: 40 }, () =>
    Buffer.from(Array.from({ length: 8 + random.below(120) }, () => random.below(256))),
  );
}

function journals(): Buffer[] {
  const random = new Random(6);
  return Array.from({ length: 40 }, () =>
    Buffer.concat(
      Array.from({ length: 1 + random.below(5) }, () => {
        const size = 16 * random.below(4);
        const bytes = Array.from({ length: size }, () => random.below(256));
        return Buffer.from([random.chance(3) ? random.below(256) : 2, size, ...bytes]);
      }),
    ),
  );
}

function archives(): Buffer[] {
  return readdirSync("test/fixtures/archives").map((name) => {
    const bytes = fixture(`archives/${name}`);
    const text = name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
    return Buffer.concat([Buffer.from([7]), text.subarray(0, 6000)]);
  });
}

/** A byte says which file has these bytes (test/fuzz/targets/manifests.ts). */
function manifests(): Buffer[] {
  const partition = `[[7,{"generation":2,"keys":3,"blocks":1,"lines":0,"checksum":"${"0".repeat(32)}"}]]`;
  const log =
    '{"number":1,"kind":"waiting","firstRow":0,"rows":3,"durable":[0,0,0],"hasPayloads":true,"merged":null}';
  const texts = [
    '\0{"format":"urlmill seen set","version":2,"identity":{},"journal":1,"durableBytes":0}',
    '\x01{"journal":2,"durableBytes":99}',
    `\x01{"identity":{"profileId":"","key":"${"0".repeat(32)}","bits":64,"options":{}}}`,
    "\x02UBLK",
    '\x03{"set":1,"version":1,"identity":"{}"}',
    `\x04{"partitions":${partition}}`,
    `\x04{"logs":[${log}],"logsMade":3}\0{"settled":2}`,
    "\x05\0\x04\0\0\0\0",
    `\x06\0\x12\x01\0\0\0\x01\0\0\0${"\0".repeat(10)}`,
    "\x07\0\x0c\x04\0\0\0\x01\0\0\0\0\0\0\0",
    '\x08{"bits":64}',
    '\x08{"keys":{"name":"run-2-00000000.keys","bytes":16,"checksum":0}}',
    `\x09${"0123456789abcdef".repeat(3)}`,
  ];
  return texts.map((text) => Buffer.from(text, "latin1"));
}

/** Makes the seeds of each target. */
export const SEEDS_OF: Readonly<Record<string, () => Buffer[]>> = {
  urls,
  keys,
  rules,
  aliases,
  plan: plans,
  records,
  warc: archives,
  csv: tables,
  parquet: parquetFiles,
  journal: journals,
  sets: steps,
  manifests,
};
