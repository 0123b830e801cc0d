import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Status } from "../../src/base/status.ts";
import { ROWS } from "../../src/engine/wasm/kernel.ts";
import { createNormalizer } from "../../src/index.ts";
import { PRESETS, type PresetName } from "../../src/options/catalog.generated.ts";
import { HEADER, KIND, PLAN_VERSION, PLAN_VERSIONS } from "../../src/plan/layout.ts";
import { CLI_PATH } from "../shared/cli.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { sampleOf } from "../shared/length.ts";
import { codeSpans, readTables } from "../shared/spec-document.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const text = readFileSync(`${root}/docs/kernel.md`, "utf8");
const example = /```python\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
const folder = tempFolder();
const file = (name: string): string => join(folder, name);

const PYTHON = process.env["PYTHON"] ?? "python3";
const hasWasmtime = isHere(
  "wasmtime for Python",
  spawnSync(PYTHON, ["-c", "import wasmtime"]).status === 0,
);

describe("docs/kernel.md", () => {
  test("has the statuses that the kernel writes, with their numbers", () => {
    const rows = readTables(text).find(({ columns }) => columns[0] === "status")?.rows ?? [];
    const documented = rows.map(({ status, name = "" }) => [codeSpans(name)[0], Number(status)]);
    const { BAD_BASE: _, NOT_A_STRING: __, ...ofKernel } = Status;
    expect(Object.fromEntries(documented)).toEqual(ofKernel);
  });

  test("has a row for each word of a plan's header, and its version", () => {
    const rows = readTables(text).find(({ columns }) => columns[0] === "word")?.rows ?? [];
    expect(rows.map(({ word }) => Number(word))).toEqual([...Array(HEADER.WORDS).keys()]);
    expect(rows[HEADER.VERSION]?.["what it is"]).toContain(`layout: ${PLAN_VERSION}.`);
    expect(rows[HEADER.MAX_LENGTH]?.["what it is"]).toContain("maxLength");
    expect(rows[HEADER.RULE_FILTER]?.["what it is"]).toContain("filter");
    expect(KIND).toEqual({ EXACT: 1, PREFIX: 2, SUBDOMAINS: 3, SUFFIX: 4 });
  });

  test("has the sizes of the plans of presets", () => {
    const sizes = Object.keys(PRESETS).map((preset) =>
      createNormalizer({ preset: preset as PresetName }).plan.length.toLocaleString("en-US"),
    );
    const [, least, most] = /plans of the presets, of ([\d,]+) to ([\d,]+) bytes/.exec(text) ?? [];
    expect(sizes).toContain(least);
    expect(sizes).toContain(most);
  });

  test("has an example for the interface of this kernel", () => {
    const { ABI_VERSION } = new WebAssembly.Instance(KERNEL).exports;
    const { value } = ABI_VERSION as WebAssembly.Global<"i32">;
    expect(example).toContain(`\nABI_VERSION = ${value}\n`);
    expect(example).toContain(`\nPLAN_VERSIONS = (${PLAN_VERSIONS.join(", ")})\n`);
    expect(text).toContain(`It must be ${value}, `);
    expect(text).toContain(
      `first word is ${PLAN_VERSIONS.slice(0, -1).join(", ")} or ${PLAN_VERSIONS.at(-1)}`,
    );
    expect(text).toContain(`at least ${4 * HEADER.WORDS} bytes`);
  });

  test("has rows with their results, and a fingerprint", () => {
    const rows = readTables(text).find(({ columns }) => columns[0] === "input")?.rows ?? [];
    expect(rows.length).toBeGreaterThan(5);
    for (const { input = "", status, ...results } of rows) {
      for (const preset of ["safe", "crawl"] as const) {
        const [url = " "] = codeSpans(input);
        const found = createNormalizer({ preset }).normalizeBatch([url]);
        const documented = codeSpans(results[`\`${preset}\``] ?? "")[0] ?? null;
        expect([url, found.status[0], found.urls[0]]).toEqual([url, Number(status), documented]);
      }
    }
    const { fingerprints } = createNormalizer().fingerprintBatch(["http://example.com/"], {
      key: new Uint8Array(16),
    });
    expect(text).toContain(`\`${Buffer.from(fingerprints).toString("hex")}\``);
  });

  test("has the memory that windows take, and the largest window", () => {
    const plan = createNormalizer({ preset: "crawl" }).plan;
    const reserve = (inputBytes: number, rows: number) => {
      const { exports } = new WebAssembly.Instance(KERNEL);
      const isRoom = (exports["reserve"] as CallableFunction)(plan.length, 0, inputBytes, rows);
      return [isRoom, (exports["memory"] as WebAssembly.Memory).buffer.byteLength] as const;
    };
    const table = readTables(text).find(({ columns }) => columns[0] === "`inputBytes`");
    const number = (cell = "") => Number(cell.replaceAll(",", ""));
    for (const { "`inputBytes`": bytes, "`rows`": rows, memory } of sampleOf(
      table?.rows ?? [],
      2,
    )) {
      const [isRoom, taken] = reserve(number(bytes), number(rows));
      const megabytes = (taken / 1e6).toPrecision(2);
      expect([bytes, isRoom, memory]).toEqual([
        bytes,
        1,
        taken < 1e9 ? `${Number(megabytes)} MB` : `${(taken / 1e9).toPrecision(2)} GB`,
      ]);
    }
    expect(table?.rows.length).toBe(5);
    expect(text).toContain("up to 127 MiB");
    expect([reserve(127 << 20, ROWS)[0], reserve(128 << 20, ROWS)[0]]).toEqual([1, 0]);
  });
});

describe.skipIf(!hasWasmtime)("the host in Python (skipped without python3 and wasmtime)", () => {
  const runHost = (input: Uint8Array, flags: string[]) => {
    writeFileSync(file("normalize.py"), example);
    execFileSync(process.execPath, [CLI_PATH, "plan", ...flags, "-o", file("p.plan")], {
      stdio: "ignore",
    });
    const args = [file("normalize.py"), `${root}/dist/kernel.wasm`, file("p.plan")];
    return spawnSync(PYTHON, args, { input, maxBuffer: 1 << 26 });
  };
  const normalize = (input: Uint8Array, flags: string[]): Buffer =>
    execFileSync(process.execPath, [CLI_PATH, "normalize", ...flags], {
      input,
      maxBuffer: 1 << 26,
      stdio: "pipe",
    });

  test("writes the bytes that urlmill normalize writes", () => {
    const list = gunzipSync(readFileSync(`${root}/test/fixtures/urls-50k.txt.gz`));
    const hostile = Buffer.from(
      "not a url\r\nHTTP://A/%7e\r\n\nhttp://b\u00fccher.de\nhttp://a:x/",
    );
    // More than one window of a megabyte, and lines cut at its end.
    const input = Buffer.concat([list.subarray(0, 3 << 19), Buffer.from("\n"), hostile]);
    writeFileSync(file("rules.tsv"), "#urlmill-rules 1\n*\t*\tdrop ref\n");
    for (const flags of [
      ["--preset", "crawl"],
      ["--rules", file("rules.tsv")],
    ]) {
      const { status, stdout, stderr } = runHost(input, flags);
      expect([status, stderr.toString()]).toEqual([0, ""]);
      expect(stdout.equals(normalize(input, flags))).toBe(true);
    }
  });

  test("writes nothing for no input", () => {
    expect(runHost(Buffer.alloc(0), [])).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
  });

  test("refuses a line that no window holds", () => {
    const { status, stderr } = runHost(Buffer.alloc(3 << 20, "a"), ["--max-length", "100"]);
    expect(status).toBe(1);
    expect(stderr.toString()).toContain("a line has more than 1048576 bytes");
  });

  test("refuses a plan of another version", () => {
    runHost(Buffer.alloc(0), []);
    const plan = readFileSync(file("p.plan"));
    plan.writeUInt32LE(Math.max(...PLAN_VERSIONS) + 1, 0);
    writeFileSync(file("other.plan"), plan);
    const args = [file("normalize.py"), `${root}/dist/kernel.wasm`, file("other.plan")];
    const { status, stderr } = spawnSync(PYTHON, args, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain(`not of (${PLAN_VERSIONS.join(", ")})`);
  });

  test("refuses a kernel of another interface", () => {
    runHost(Buffer.alloc(0), []);
    const older = example.replace(/(?<=\nABI_VERSION = )\d+/, "12");
    writeFileSync(file("older.py"), older);
    const args = [file("older.py"), `${root}/dist/kernel.wasm`, file("p.plan")];
    const { status, stderr } = spawnSync(PYTHON, args, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("the kernel has version 13 of the interface, not 12");
  });

  test("runs on the kernel without SIMD, too", () => {
    runHost(Buffer.alloc(0), []);
    const args = [file("normalize.py"), `${root}/dist/kernel-scalar.wasm`, file("p.plan")];
    const { stdout } = spawnSync(PYTHON, args, { input: "HTTP://A/%7e\n", encoding: "utf8" });
    expect(stdout).toBe("http://a/~\n");
  });
});
