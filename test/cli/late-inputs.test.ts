import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** What becomes of the second input of a run, which opens when `goOn` is called. */
const late = vi.hoisted(() => {
  let goOn = (): void => {};
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { events: [] as string[], waits, goOn };
});
vi.mock("../../src/runs/stream/open-input.ts", async (original) => {
  const real = await original<typeof import("../../src/runs/stream/open-input.ts")>();
  const openInput: typeof real.openInput = async (file, ...others) => {
    if (!file.endsWith("late")) return real.openInput(file, ...others);
    late.events.push("opens");
    await late.waits;
    const source = await real.openInput(file, ...others);
    const { read, close } = source;
    return Object.assign(source, {
      read: (into: Uint8Array) => {
        late.events.push("is read");
        return read.call(source, into);
      },
      close: () => {
        late.events.push("is closed");
        return close.call(source);
      },
    });
  };
  return { ...real, openInput };
});

const folder = tempFolder();

test("an input that opens after its run has ended is closed, and not read", async () => {
  const files = ["begins", "late"].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, "http://a/\nnothing\n");
  const stdout = new Writable({
    write: (_, __, done) => {
      // The run stops at the line that is not a URL while the second input opens.
      void vi.waitUntil(() => late.events.length > 0).then(() => done());
    },
  });
  const stderr = new Writable({ write: (_, __, done) => done() });
  const streams = { stdin: Readable.from([]), stdout, stderr };
  const args = ["normalize", "--format", "lines", "--on-error", "fail", ...files];
  expect(await runCommandLine(args, streams)).toBe(1);
  expect(late.events).toEqual(["opens"]);
  late.goOn();
  await vi.waitFor(() => expect(late.events).toEqual(["opens", "is closed"]));
});
