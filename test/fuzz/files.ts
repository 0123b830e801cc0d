// Stands for Node's functions for files, in a target. They run in its thread: to hand each call to another thread takes many
// times as long as the call. Nothing is synced: no target survives a power cut.
import * as fs from "node:fs";
import type { FileHandle } from "node:fs/promises";

type Files = typeof import("node:fs/promises");

/** Returns the functions in place of those of src/base/peer.ts. */
export const files = (): Files => FILES as unknown as Files;

const FILES = {
  constants: fs.constants,
  open: async (name: string, flags?: string | number, mode?: number) =>
    handleOf(fs.openSync(name, flags ?? "r", mode)),
  mkdir: async (name: string) => fs.mkdirSync(name),
  readdir: async (name: string) => fs.readdirSync(name),
  readFile: async (name: string, encoding?: "utf8") => fs.readFileSync(name, encoding),
  rename: async (from: string, to: string) => fs.renameSync(from, to),
  rm: async (name: string, options?: fs.RmOptions) => fs.rmSync(name, options),
  stat: async (name: string) => fs.statSync(name),
  lstat: async (name: string) => fs.lstatSync(name),
};

function handleOf(fd: number): FileHandle {
  const handle = {
    fd,
    read: async (into: Uint8Array, from: number, length: number, position: number) => ({
      bytesRead: fs.readSync(fd, into, from, length, position),
    }),
    write: async (bytes: Uint8Array, from?: number, length?: number, position?: number) => ({
      bytesWritten: fs.writeSync(fd, bytes, from, length, position),
    }),
    stat: async () => fs.fstatSync(fd),
    truncate: async (length: number) => fs.ftruncateSync(fd, length),
    sync: async () => {},
    datasync: async () => {},
    readFile: async (encoding: "utf8") => fs.readFileSync(fd, encoding),
    writeFile: async (text: string) => fs.writeFileSync(fd, text),
    close: async () => fs.closeSync(fd),
  };
  return handle as unknown as FileHandle;
}
