import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as zlib from "node:zlib";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { Output } from "../../src/io/output.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// As Node before 22.15 has it.
vi.mock("node:zlib", async (original) => ({
  ...(await original<typeof zlib>()),
  createZstdCompress: undefined,
}));

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const reason = new Error("enough");

test("a write waits for who hears of it, so that a slow list slows the run", async () => {
  const output = await Output.toFile(path("heard"));
  let goOn = (): void => {};
  output.onWrite = () =>
    new Promise((resolve) => {
      goOn = resolve;
    });
  const written = output.write(Buffer.from("a\n"));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(readFileSync(path("heard"), "utf8")).toBe("");
  goOn();
  await written;
  await output.finish();
  expect(readFileSync(path("heard"), "utf8")).toBe("a\n");
});

test("after a stop, what has not begun throws its reason and is not written", async () => {
  const output = await Output.toFile(path("stopped.gz"));
  const first = output.write(Buffer.from("a\n"));
  await first;
  const later = output.writeLater(
    new Promise((resolve) => setImmediate(resolve, Buffer.from("b\n"))),
  );
  output.stop(reason);
  const last = output.write(Buffer.from("c\n"));
  await expect(later).rejects.toBe(reason);
  await expect(last).rejects.toBe(reason);
  await output.finish();
  expect(gunzipSync(readFileSync(path("stopped.gz"))).toString()).toBe("a\n");
  expect(output.isCut).toBe(false);
});

test("a line whose rest comes after a stop gets its end, and the output says that it is cut", async () => {
  const output = await Output.toFile(path("cut"));
  await output.write(Buffer.from("a\nb"));
  output.stop(reason);
  await expect(output.write(Buffer.from("c\n"))).rejects.toBe(reason);
  await output.finish();
  expect(readFileSync(path("cut"), "utf8")).toBe("a\nb\n");
  expect(output.isCut).toBe(true);
});

test("a file that this Node cannot compress keeps what is in it", async () => {
  writeFileSync(path("old.zst"), "old");
  await expect(Output.toFile(path("old.zst"))).rejects.toThrow("writing .zst takes Node 22.15");
  expect(readFileSync(path("old.zst"), "utf8")).toBe("old");
});
