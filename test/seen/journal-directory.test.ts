import type * as fs from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const synced = vi.hoisted(() => [] as string[]);
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const real = peer.files();
  const open = async (path: string, ...rest: [string?, number?]): Promise<fs.FileHandle> => {
    const handle = await real.open(path, ...rest);
    const sync = handle.sync.bind(handle);
    return Object.assign(handle, { sync: () => sync().then(() => void synced.push(path)) });
  };
  return { ...peer, files: () => ({ ...real, open }) };
});

const folder = tempFolder();
beforeEach(() => {
  synced.length = 0;
});

const names = (): Set<string> => new Set(synced.map((path) => relative(folder, path)));

test("a directory that is made is on disk, and so are those above it that were missing", async () => {
  await (await SeenSet.open(join(folder, "a", "b", "set"))).close();
  expect(names()).toEqual(new Set(["a/b", "a", "", "a/b/set", "a/b/set/set.json.new"]));
});

test("a directory that is there does not sync those above it", async () => {
  await (await SeenSet.open(join(folder, "a", "b", "set"))).close();
  expect(names()).toEqual(new Set(["a/b/set", "a/b/set/set.json.new"]));
});
