import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ReplacedFile } from "../../src/io/files/replaced-file.ts";
import { runShell } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
/** A folder of files on Linux whose name looks like that of devices. */
const memory = existsSync("/dev/shm") ? mkdtempSync("/dev/shm/urlmill-replaced-") : null;
afterAll(() => {
  if (memory !== null) rmSync(memory, { recursive: true });
});

const isReplaced = async (name: string): Promise<boolean> => (await ReplacedFile.of(name)) !== null;

test("a file is what the system says, under whatever name", async () => {
  for (const each of [folder, memory]) {
    if (each === null) continue;
    writeFileSync(join(each, "old"), "old");
    symlinkSync(join(each, "old"), join(each, "link"));
    for (const name of ["old", "link", "new"])
      expect(await isReplaced(join(each, name))).toBe(true);
  }
});

test.skipIf(process.platform === "win32")(
  "pipes, devices and descriptors are written directly",
  async () => {
    symlinkSync("/dev/null", join(folder, "device"));
    expect(runShell("mkfifo pipe && ln -s pipe to-pipe", folder).code).toBe(0);
    for (const name of ["device", "pipe", "to-pipe"]) {
      expect([name, await isReplaced(join(folder, name))]).toEqual([name, false]);
    }
    for (const name of ["-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/tty"]) {
      expect([name, await isReplaced(name)]).toEqual([name, false]);
    }
  },
);

describe.skipIf(memory === null)("in /dev/shm", () => {
  const here = memory as string;
  const index = (name: string, ...lines: string[]): string => {
    writeFileSync(join(folder, name), lines.map((key) => `${key}) 20200101000000 {}\n`).join(""));
    return join(folder, name);
  };

  test("an error leaves an old file as it was", () => {
    const wrong = index("wrong.cdxj", "b", "a");
    const out = join(here, "out");
    writeFileSync(out, "old");
    for (const command of ["merge", "zipnum"]) {
      const { code } = runShell(`urlmill cdx ${command} ${wrong} -o ${out}`, folder);
      expect([code, readFileSync(out, "utf8")]).toEqual([1, "old"]);
    }
    expect(readdirSync(here).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("zipnum writes its three files", () => {
    const { code, stderr } = runShell(
      `urlmill cdx zipnum ${index("in.cdxj", "a")} -o ${here}/zip`,
      folder,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 line in 1 member")]);
    expect(readdirSync(here)).toEqual(expect.arrayContaining(["zip.gz", "zip.idx", "zip.loc"]));
  });
});
