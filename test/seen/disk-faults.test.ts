import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { checkLife, live, type Note } from "../shared/disk-life.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const faulty = await vi.hoisted(async () => {
  const { FaultyDisk } = await import("../shared/faulty-disk.ts");
  return new FaultyDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = faulty.wrap(peer.files());
  const now = faulty.wrapNow(peer.builtin("node:fs"));
  const builtin = (name: string): unknown =>
    name === "node:fs" ? now : (peer.builtin as (name: string) => unknown)(name);
  return { ...peer, files: () => wrapped, builtin };
});

/** How many calls fail, each in a life of its own: at least one of each function. `npm run proof seen` takes more. */
const FAULTS = Number(process.env["URLMILL_FAULTS"] ?? atLength(12, 60));

const folder = mkdtempSync(join(tmpdir(), "urlmill-faults-"));
afterAll(() => rm(folder, { recursive: true }));
const directory = join(folder, "set");
beforeEach(() => rm(directory, { recursive: true, force: true }));

/** Lives, and returns what was noted and the error that came. */
async function liveNoting(): Promise<{ notes: Note[]; error: unknown }> {
  const notes: Note[] = [];
  const note = (what: Note): void => {
    notes.push(what);
  };
  const error = await live(directory, "batch", note, async () => {}).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { notes, error };
}

/** Checks what a life has left. Nothing that returned may be missing: no power was cut. */
async function check(notes: readonly Note[], random: Random): Promise<void> {
  faulty.begin(0, "");
  await checkLife(directory, [...notes, ["synced"]], random);
  expect(faulty.open).toBe(0);
}

test("any call of the system may fail once: the error says so, and no answer is lost", async () => {
  const random = new Random(11);
  faulty.begin(0, "");
  await liveNoting();
  expect(faulty.calls).toBeGreaterThan(1000);
  const counts = [...faulty.callsOf];
  const failed = new Set<string>();
  for (let fault = 0; fault < Math.max(FAULTS, counts.length); fault++) {
    await rm(directory, { recursive: true, force: true });
    const [name, calls] = counts[fault % counts.length] as [string, number];
    // A life may have fewer calls than another. The first fault of each function is one that every life meets.
    const part = fault < counts.length ? Math.ceil(calls / 4) : calls;
    const number = 1 + random.below(part);
    faulty.beginOf(name, number, random.pick(["EIO", "ENOSPC", "EMFILE"]));
    const { notes, error } = await liveNoting();
    if (faulty.failed === null) continue; // this life had fewer calls
    failed.add(faulty.failed);
    const where = { name, number };
    expect({ ...where, open: faulty.open }).toEqual({ ...where, open: 0 });
    expect({ ...where, error }).toMatchObject({
      error: { code: "SEEN_FAILED", message: expect.stringContaining(directory) },
    });
    await check(notes, random);
  }
  expect([...failed].toSorted()).toEqual(counts.map(([name]) => name).toSorted());
}, 3_600_000);

test("reads and writes may be short", async () => {
  faulty.begin(0, "", new Random(12));
  const { notes, error } = await liveNoting();
  expect(error).toBe(null);
  await check(notes, new Random(13));
}, 120_000);
