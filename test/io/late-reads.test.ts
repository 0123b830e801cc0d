import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openSource } from "../../src/io/open-source.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const late = await vi.hoisted(async () => {
  const { Late } = await import("../shared/late.ts");
  return new Late();
});
vi.mock("node:fs", async (original) => {
  const real = late.files(await original<typeof import("node:fs")>());
  return { ...real, default: real };
});

const folder = tempFolder();

test("a file that is closed during a read loses no bytes to it when it is opened again", async () => {
  const file = join(folder, "list");
  writeFileSync(file, "http://a/\n");
  for (let seed = 1; seed <= 20; seed++) {
    late.begin(null);
    const first = await openSource(file);
    late.begin(seed);
    const read = first.read(Buffer.alloc(100));
    await first.close();
    const again = await openSource(file);
    const bytes = Buffer.alloc(100);
    expect(await again.read(bytes)).toBe(10);
    expect(await read).toBe(10);
    await again.close();
  }
});
