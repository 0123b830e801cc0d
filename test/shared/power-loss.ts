import type * as callbacks from "node:fs";
import type * as fs from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import type { Random } from "./random.ts";

/*
 * A model of what a power cut leaves. What was written since the last sync of a file is on disk or not,
 * each page by itself; so are a directory's entries since its last sync. Later writes may be there
 * without earlier ones, and a file may have its length without its bytes. A folder is there as long as one of
 * its files is.
 */

/** Bytes that reach the disk together. Small, so that a block has several. */
const PAGE = 512;

/** A change of a file or a directory that is not on disk for certain. */
type Change = (image: Image) => void;

/** The content of files by inode, and their names: paths in the directory. */
class Image {
  readonly files: Map<number, Buffer>;
  readonly names: Map<string, number>;

  constructor(files: ReadonlyMap<number, Buffer> = new Map(), names = new Map<string, number>()) {
    this.files = new Map(files);
    this.names = new Map(names);
  }

  copy(): Image {
    return new Image(this.files, this.names);
  }

  write(inode: number, at: number, bytes: Uint8Array): void {
    this.resize(inode, Math.max(this.#file(inode).length, at + bytes.length));
    const file = Buffer.from(this.#file(inode));
    file.set(bytes, at);
    this.files.set(inode, file);
  }

  resize(inode: number, length: number): void {
    const old = this.#file(inode);
    const file = Buffer.alloc(length);
    file.set(old.subarray(0, length));
    this.files.set(inode, file);
  }

  #file(inode: number): Buffer {
    return this.files.get(inode) ?? Buffer.alloc(0);
  }
}

/** A moment at which power may be cut: what is on disk for certain, and what may be. */
export interface Moment {
  /** Lists the notes made so far. */
  readonly notes: readonly string[];
  readonly certain: Image;
  readonly possible: readonly Change[];
}

/** Records what is done to one directory and its folders, through the functions of `node:fs/promises` it wraps. */
export class RecordedDisk {
  readonly moments: Moment[] = [];
  #directory = "";
  #certain = new Image();
  /** By inode, or by the path of a directory whose entries change. */
  #pending = new Map<number | string, Change[]>();
  #names = new Map<string, number>();
  #notes: string[] = [];
  #inodes = 0;
  /** The inodes of open descriptors, and how long their files are. */
  readonly #opened = new Map<number, number>();
  readonly #lengths = new Map<number, number>();

  /**
   * Begins anew with a directory that has these files, on disk for certain but for the bytes of the file
   * `written`: a process wrote those and ended without a sync.
   */
  begin(directory: string, files: ReadonlyMap<string, Uint8Array>, written?: string): void {
    this.#pending = new Map();
    this.#notes = [];
    this.#certain = new Image();
    this.#names = new Map();
    this.#directory = resolve(directory);
    for (const [name, bytes] of files) {
      const inode = this.#inodes++;
      this.#names.set(name, inode);
      this.#certain.names.set(name, inode);
      if (name === written) this.#write(inode, bytes, 0);
      else this.#certain.files.set(inode, Buffer.from(bytes));
    }
    // What came before is as certain as the files.
    this.moments.length = 0;
    this.#mark();
  }

  /** Ends the recording. */
  end(): void {
    this.#directory = "";
  }

  /** Notes that something was promised. */
  note(what: string): void {
    this.#notes = [...this.#notes, what];
    this.#mark();
  }

  /** Returns functions of `node:fs/promises` that record each call. */
  wrap(real: typeof fs): typeof fs {
    return {
      ...real,
      open: async (path: string, flags: string | number = "r", mode?: number) => {
        const handle = await real.open(path, flags, mode);
        return this.#wrapHandle(handle, path, String(flags));
      },
      rename: async (from: string, to: string) => {
        await real.rename(from, to);
        if (!this.#has(from)) return;
        const [before, after] = [this.#nameOf(from), this.#nameOf(to)];
        const inode = this.#names.get(before) as number;
        this.#names.delete(before);
        this.#names.set(after, inode);
        this.#change(dirname(after), ({ names }) => {
          names.delete(before);
          names.set(after, inode);
        });
      },
      rm: async (path: string, options?: Parameters<typeof fs.rm>[1]) => {
        await real.rm(path, options);
        if (!this.#has(path)) return;
        const removed = this.#nameOf(path);
        for (const name of [...this.#names.keys()]) {
          if (name !== removed && !name.startsWith(`${removed}/`)) continue;
          this.#names.delete(name);
          this.#change(dirname(name), ({ names }) => names.delete(name));
        }
      },
    } as typeof fs;
  }

  /** Returns functions of `node:fs`, of which those that write at the end of a file record it. */
  wrapCallbacks(real: typeof callbacks): typeof callbacks {
    const write = (
      fd: number,
      bytes: Uint8Array,
      from: number,
      length: number,
      at: null,
      done: (error: Error | null, written: number) => void,
    ): void => {
      real.write(fd, bytes, from, length, at, (error, written) => {
        const inode = this.#opened.get(fd);
        const end = this.#lengths.get(inode ?? -1) ?? 0;
        if (inode !== undefined) this.#write(inode, bytes.subarray(from, from + written), end);
        done(error, written);
      });
    };
    const promised = (fd: number, bytes: Uint8Array, from: number, length: number, at: null) =>
      new Promise((resolve, reject) => {
        write(fd, bytes, from, length, at, (error, bytesWritten) =>
          error ? reject(error) : resolve({ bytesWritten }),
        );
      });
    const custom = Symbol.for("nodejs.util.promisify.custom");
    return { ...real, write: Object.defineProperty(write, custom, { value: promised }) } as never;
  }

  #has(path: string): boolean {
    return this.#directory !== "" && resolve(path).startsWith(`${this.#directory}/`);
  }

  #nameOf(path: string): string {
    return relative(this.#directory, resolve(path)) || ".";
  }

  async #wrapHandle(handle: fs.FileHandle, path: string, flags: string): Promise<fs.FileHandle> {
    if (resolve(path) === this.#directory) return this.#recording(handle, ".");
    // Who has the lock is nothing that must survive.
    if (!this.#has(path) || basename(path) === "lock") return handle;
    const name = this.#nameOf(path);
    if ((await handle.stat()).isDirectory()) return this.#recording(handle, name);
    let inode = this.#names.get(name);
    if (inode === undefined) {
      const created = this.#inodes++;
      inode = created;
      this.#names.set(name, created);
      this.#change(dirname(name), ({ names }) => names.set(name, created));
    } else if (flags.startsWith("w")) {
      const cut = inode;
      this.#change(cut, (image) => image.resize(cut, 0));
    }
    this.#opened.set(handle.fd, inode);
    return this.#recording(handle, inode);
  }

  /** `key`: the inode of a file, or the path of a directory. */
  #recording(handle: fs.FileHandle, key: number | string): fs.FileHandle {
    const inode = key as number;
    const sync = async (done: Promise<void>): Promise<void> => {
      const synced = this.#pending.get(key)?.length ?? 0;
      await done;
      for (const change of this.#pending.get(key)?.splice(0, synced) ?? []) change(this.#certain);
      this.#mark();
    };
    const recorded: Partial<Record<keyof fs.FileHandle, unknown>> = {
      write: async (bytes: Uint8Array, from: number, length: number, at: number) => {
        const result = await handle.write(bytes, from, length, at);
        this.#write(inode, bytes.subarray(from, from + result.bytesWritten), at);
        return result;
      },
      writeFile: async (text: string) => {
        await handle.writeFile(text);
        this.#write(inode, Buffer.from(text), 0);
      },
      truncate: async (length: number) => {
        await handle.truncate(length);
        this.#change(inode, (image) => image.resize(inode, length));
      },
      sync: () => sync(handle.sync()),
      datasync: () => sync(handle.datasync()),
    };
    return new Proxy(handle, {
      get: (target, name) => {
        const ours = recorded[name as keyof fs.FileHandle];
        if (ours !== undefined) return ours;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #write(inode: number, bytes: Uint8Array, at: number): void {
    const copy = Buffer.from(bytes);
    this.#lengths.set(inode, Math.max(this.#lengths.get(inode) ?? 0, at + copy.length));
    this.#change(inode, (image) => {
      const length = image.files.get(inode)?.length ?? 0;
      image.resize(inode, Math.max(length, at + copy.length));
    });
    for (let from = 0; from < copy.length; ) {
      const end = Math.min(copy.length, from + PAGE - ((at + from) % PAGE));
      const [start, page] = [at + from, copy.subarray(from, end)];
      this.#change(inode, (image) => image.write(inode, start, page));
      from = end;
    }
  }

  #change(key: number | string, change: Change): void {
    if (this.#directory === "") return;
    const pending = this.#pending.get(key) ?? [];
    pending.push(change);
    this.#pending.set(key, pending);
    this.#mark();
  }

  #mark(): void {
    if (this.#directory === "") return;
    const possible = [...this.#pending.values()].flat();
    this.moments.push({ notes: this.#notes, certain: this.#certain.copy(), possible });
  }
}

/** Returns the files after a power cut at a moment, with all possible changes, without them, or with a random part. */
export function filesAfterCut(
  { certain, possible }: Moment,
  kept: "all" | "none" | Random,
): Map<string, Uint8Array> {
  const image = certain.copy();
  // Keeps each change with even odds, or sometimes nearly all or nearly no changes.
  const odds = typeof kept === "string" ? 2 : 2 + kept.below(3) ** 2;
  const flip = typeof kept !== "string" && kept.chance(2);
  for (const change of possible) {
    const isKept = typeof kept === "string" ? kept === "all" : kept.chance(odds) !== flip;
    if (isKept) change(image);
  }
  const files = new Map<string, Uint8Array>();
  for (const [name, inode] of image.names) {
    files.set(name, image.files.get(inode) ?? Buffer.alloc(0));
  }
  return files;
}
