import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliResult, runProcess } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
writeFileSync(path("list"), "http://a/?b=1\nhttp://c/\nhttp://A/?b=1\n");

/** Makes a platform that has memory for some kernels and no more. */
writeFileSync(
  path("kernels.cjs"),
  `let left = Number(process.env.KERNELS);
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...args) {
    if (left-- === 0) throw new RangeError("Out of memory");
    super(...args);
  }
};`,
);

/** Dedupes a file to `out`, which has a line already, with memory for so many kernels. */
function dedupe(kernels: number, engine: string): Promise<CliResult> {
  writeFileSync(path("out"), "before\n");
  const args = ["dedupe", "--threads", "1", "--engine", engine, "-o", path("out"), path("list")];
  const env = { KERNELS: String(kernels), NODE_OPTIONS: `--require ${path("kernels.cjs")}` };
  return runProcess(args, "", env);
}

const KERNELS = [
  [1, "auto"],
  [2, "auto"],
  [2, "wasm"],
] as const;
test.each(sampleOf(KERNELS, 2))(
  "with memory for %i kernels and the engine %s, the chunked mode does the work",
  async (kernels, engine) => {
    expect(await dedupe(kernels, engine)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path("out"), "utf8")).toBe("http://a/?b=1\nhttp://c/\n");
  },
);

test("with no memory for the kernel of the keys, the output stays as it was", async () => {
  expect(await dedupe(1, "wasm")).toMatchObject({ code: 1 });
  expect(readFileSync(path("out"), "utf8")).toBe("before\n");
});
