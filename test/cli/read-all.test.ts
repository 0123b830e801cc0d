import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readAll } from "../../src/io/sources/read-all.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

test("a text that no string can hold is refused, also where its file is small", async () => {
  const file = join(folder, "text.gz");
  writeFileSync(file, gzipSync(Buffer.alloc(2 << 20)));
  await expect(readAll(file, 1 << 20)).rejects.toThrow(
    `cannot read ${file}: it has more than 1048576 bytes, and is read as a whole; split it`,
  );
  expect(await readAll(file, 2 << 20)).toHaveLength(2 << 20);
});
