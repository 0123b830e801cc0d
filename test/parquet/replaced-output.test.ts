import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { CLI_PATH, runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { PATIENTLY } from "../shared/patiently.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const base = tempFolder();
const input = writeColumns(join(base, "in.parquet"), [
  { name: "url", data: ["http://a/", "not a url"], type: "STRING" },
]);
const damaged = join(base, "damaged.parquet");
writeFileSync(
  damaged,
  readFileSync(input).map((byte, at) => (at === 10 ? byte ^ 0xff : byte)),
);
const folder = join(base, "out");
const out = join(folder, "out.parquet");
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

test.each([
  ["an error of its input", ["dedupe", damaged], /is damaged/],
  [
    "--on-error fail",
    ["dedupe", "--on-error", "fail", input],
    /row 2 is not a URL .*the output is not written/,
  ],
])("a run that %s ends leaves the file as it was before", async (_, args, message) => {
  writeFileSync(out, "before");
  const { code, stderr } = await runCli([...args, "-o", out]);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(readdirSync(folder)).toEqual(["out.parquet"]);
  expect(readFileSync(out, "latin1")).toBe("before");
});

test("a run that fails leaves no new file", async () => {
  expect((await runCli(["dedupe", damaged, "-o", out])).code).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
test.runIf(process.platform !== "win32").each(sampleOf(SIGNALS, 2))(
  "%s leaves the file as it was before, with exit code %i",
  async (signal, code) => {
    writeFileSync(out, "before");
    const rows = 60_000;
    const large = writeColumns(
      join(base, `${signal}.parquet`),
      [{ name: "url", data: Array.from({ length: rows }, (_, row) => `http://a/${row}`) }],
      100,
    );
    const args = [PATIENTLY, CLI_PATH, "normalize", "--emit", "both", large, "-o", out];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    const closed = once(child, "close");
    let complaint = "";
    child.stderr.on("data", (text) => {
      complaint += text;
    });
    const begun = (): boolean =>
      readdirSync(folder).some(
        (name) => name !== "out.parquet" && statSync(join(folder, name)).size > 0,
      );
    while (!begun() && child.exitCode === null) await sleep(1);
    child.kill(signal);
    expect(await closed).toEqual([code, null]);
    expect(complaint).toBe(
      "urlmill: interrupted; the output is not written, and a file that was there before is as it was\n",
    );
    expect(readdirSync(folder)).toEqual(["out.parquet"]);
    expect(readFileSync(out, "latin1")).toBe("before");
  },
);

test.runIf(process.platform !== "win32")(
  "a link to a file stays a link, and the file keeps its permissions",
  async () => {
    writeFileSync(out, "before");
    chmodSync(out, 0o640);
    const link = join(folder, "link.parquet");
    symlinkSync("out.parquet", link);
    expect((await runCli(["dedupe", input, "-o", link])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(["link.parquet", "out.parquet"]);
    expect(statSync(out).mode & 0o777).toBe(0o640);
    expect((await readParquet(out)).rows).toHaveLength(2);
  },
);

test("an output that cannot be made is an error that names it as it was named", async () => {
  const missing = join(folder, "missing", "out.parquet");
  const { code, stderr } = await runCli(["dedupe", input, "-o", missing]);
  expect(code).toBe(1);
  expect(stderr).toBe(`urlmill: cannot write ${missing}: there is no such folder\n`);
});

test("a compressed name is refused, because Parquet is compressed within", async () => {
  const { code, stderr } = await runCli(["dedupe", input, "-o", `${out}.gz`]);
  expect(code).toBe(2);
  expect(stderr).toContain("Parquet is compressed within");
});
