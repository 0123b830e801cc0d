import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, IS_LONG, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const MARKS = [";", ",", "\t", "|"];

/** Returns a table with a line for Excel, and what `dedupe` writes of it. */
function tableOf(mark: string, rows = 2) {
  const head = `sep=${mark}\r\nid${mark}link\r\n`;
  const row = (at: number, url: string): string => `${at}${mark}${url}\r\n`;
  const kept = Array.from({ length: rows }, (_, at) => row(at, `http://a/${at}`)).join("");
  return { text: head + kept + row(rows, "HTTP://A:80/0"), written: head + kept };
}

describe.each(ENGINES)("a first line for Excel (%s)", (engine) => {
  const flags = ["dedupe", "--engine", engine];

  test.each(shareOf(MARKS, engine))("%j is read unasked, and copied", async (mark) => {
    const { text, written } = tableOf(mark);
    const expected = { code: 0, stderr: "", stdout: written };
    const plain = file("plain.csv", text);
    expect(await runCli(flags, text)).toEqual(expected);
    const calls = [
      [plain],
      [file("list.txt", text)],
      [file("marked.csv", `\ufeff${text}`)],
      [file("list.csv.gz", gzipSync(text))],
      ["--field", "link", plain],
      ["--field", "2", "--header", plain],
      ["--keep", "min:id", plain],
    ];
    for (const call of calls.filter((_, at) => IS_LONG || at % 4 === MARKS.indexOf(mark)))
      expect(await runCli([...flags, ...call])).toEqual(expected);
  });

  test.each(shareOf([";", ","], engine))("the next inputs may have %j, too", async (mark) => {
    const { text, written } = tableOf(mark);
    const first = file("first.csv", text);
    const bare = file("bare.csv", text.slice(text.indexOf("\n") + 1));
    for (const threads of shareOf(["1", "2"], engine)) {
      const all = [...flags, "--threads", threads];
      expect((await runCli([...all, first, first, bare])).stdout).toBe(written);
      const later = await runCli([...all, bare, first]);
      expect(later).toMatchObject({ code: 0, stdout: written.slice(written.indexOf("\n") + 1) });
    }
  });

  test.runIf(IS_LONG || engine === "wasm")(
    "chunks of a long table are read on two threads",
    async () => {
      const { text, written } = tableOf(";", atLength(30_000, 60_000));
      const { code, stdout } = await runCli([...flags, "--threads", "2", file("long.csv", text)]);
      expect(code).toBe(0);
      expect(stdout === written).toBe(true);
    },
  );

  test("only the header gets the names of columns that are added", async () => {
    const { text } = tableOf(";");
    const { stdout } = await runCli([...flags, "--count", "--emit", "both"], text);
    expect(stdout).toBe(
      "sep=;\r\nid;link;normalized_url;count\r\n0;http://a/0;http://a/0;2\r\n1;http://a/1;http://a/1;1\r\n",
    );
    expect((await runCli([...flags, "--emit", "url"], text)).stdout).toBe(
      "http://a/0\nhttp://a/1\n",
    );
  });

  test("a run that appends writes it once", async () => {
    const { text, written } = tableOf(";");
    const out = file(`out-${engine}.csv`, "");
    for (const [input, expected] of [
      [text, written],
      [text, written + written.split("\r\n").slice(2).join("\r\n")],
    ] as const) {
      expect(await runCli([...flags, "--append", out], input)).toMatchObject({ code: 0 });
      expect(readFileSync(out, "utf8")).toBe(expected);
    }
  });
});

test("a delimiter that is given reads the line, too", async () => {
  const { text, written } = tableOf(";");
  const call = ["normalize", "--emit", "normalized", "--delimiter", ";", "--field", "link"];
  expect((await runCli(call, text)).stdout).toBe(`${written}2;http://a/0\r\n`);
});
