import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ReadRange } from "../../src/io/compression/gzip-members.ts";
import { gunzipSegments, type SegmentReading } from "../../src/io/compression/gzip-segments.ts";
import { HeldStream } from "../../src/io/compression/held-stream.ts";
import { Gaps } from "../../src/io/gaps.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { warcResponse } from "../shared/warc.ts";

/** A member of an archive. */
interface Member {
  readonly record: Buffer;
  /** Whether it holds an archive, whose records may come out in the place of its own. */
  readonly isNested: boolean;
  bytes: Buffer;
  isWhole: boolean;
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

/** Ways to damage a member: those that its name is told of, and those after which its record still comes out. */
const WITHIN: Record<string, Damage> = {
  "a flipped bit": (bytes, random) => {
    (bytes[10 + random.below(bytes.length - 10)] as number) ^= 1 << random.below(8);
    return bytes;
  },
  "a wrong checksum": (bytes) => {
    (bytes[bytes.length - 8] as number) ^= 1;
    return bytes;
  },
  "an end that is missing": (bytes, random) =>
    bytes.subarray(0, 20 + random.below(bytes.length - 20)),
};
const BEFORE: Record<string, Damage> = {
  "a header that is not one": (bytes) => bytes.fill(0x77, 0, 10),
  "a few bytes of a member": (bytes, random) => bytes.subarray(0, 1 + random.below(20)),
};
const AFTER: Record<string, Damage> = {
  "other bytes": (bytes) => Buffer.concat([bytes, Buffer.from("other bytes")]),
  zeros: (bytes) => Buffer.concat([bytes, Buffer.alloc(20)]),
};

const textOf = (random: Random, length: number, most: number): string =>
  Array.from({ length }, () =>
    String.fromCharCode(most === 256 ? random.below(256) : 97 + random.below(most)),
  ).join("");

function memberOf(random: Random, number: number): Member {
  const length = random.below(random.below(3) === 0 ? 30_000 : 600);
  const kind = random.below(4);
  const text = textOf(random, length, kind === 1 ? 256 : 8);
  const inner = (): string =>
    gzipSync(warcResponse(`http://inner.example/${number}`, text)).toString("latin1");
  const content = kind === 0 ? inner() : text;
  const record = Buffer.from(warcResponse(`http://a.example/${number}`, content), "latin1");
  const bytes = gzipSync(record, { level: random.pick([0, 6]) });
  return { record, isNested: kind === 0, bytes, isWhole: true };
}

const rangesOf = (file: Uint8Array, piece: number): ReadRange =>
  async function* (start, end) {
    for (let at = start; at < Math.min(end, file.length); at += piece) {
      yield file.subarray(at, Math.min(at + piece, end));
    }
  };

/** Reads an archive, and takes its gaps. */
async function recovered(
  read: ReadRange,
  reading: SegmentReading,
): Promise<{ content: Buffer; gaps: Gaps }> {
  const gaps = new Gaps();
  gaps.areTaken = true;
  const pieces: Uint8Array[] = [];
  for await (const bytes of gunzipSegments(read, { ...reading, gaps })) {
    gaps.position += bytes.length;
    pieces.push(Buffer.from(bytes));
  }
  return { content: Buffer.concat(pieces), gaps };
}

const fileOf = (members: readonly Member[]): Buffer =>
  Buffer.concat(members.map(({ bytes }) => bytes));

const lengthOf = (members: readonly Member[]): number =>
  members.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Expects all whole records in their order, and no gap in them. */
function expectRecords(content: Buffer, gaps: Gaps, members: readonly Member[]): void {
  let from = 0;
  for (const { record, isWhole } of members) {
    if (!isWhole) continue;
    const at = content.indexOf(record, from);
    expect(at).toBeGreaterThanOrEqual(from);
    from = at + record.length;
    expect(gaps.found.filter((gap) => gap.at > at && gap.at < from)).toEqual([]);
  }
}

/** Expects no whole record twice. */
function expectOnce(content: Buffer, members: readonly Member[]): void {
  for (const { record, isWhole } of members) {
    const head = record.subarray(0, 200);
    if (isWhole) expect(content.indexOf(head)).toBe(content.lastIndexOf(head));
  }
}

test.each(Object.keys({ ...WITHIN, ...BEFORE, ...AFTER }))(
  "a web archive with damage gives all its whole records: %s",
  async (kind) => {
    const random = new Random(60);
    const damage = { ...WITHIN, ...BEFORE, ...AFTER }[kind] as Damage;
    for (let round = 0; round < atLength(2, 40); round++) {
      const members = Array.from({ length: 2 + random.below(atLength(20, 60)) }, (_, n) =>
        memberOf(random, n),
      );
      const damaged = new Set(
        Array.from({ length: 1 + random.below(3) }, () => random.pick(members)),
      );
      for (const member of damaged) {
        member.bytes = damage(Buffer.from(member.bytes), random);
        member.isWhole = kind in AFTER;
      }
      const file = fileOf(members);
      const [shortest, piece] = [1 + random.below(20_000), 1 + random.below(70_000)];
      const { content, gaps } = await recovered(rangesOf(file, piece), { shortest });
      expectRecords(content, gaps, members);
      // A member that is cut off in a stored block goes on with the bytes of the next ones.
      if (!kind.includes("a member") && !kind.includes("missing")) expectOnce(content, members);
      // Zeros at the end of a file are padding.
      if (kind !== "zeros") expect(gaps.found.length).toBeGreaterThan(0);

      const held = new HeldStream(rangesOf(file, 1 + random.below(70_000))(0, file.length));
      const passed = (position: number): void => held.drop(position);
      const stream = await recovered(held.read, { shortest, passed, searched: 1 << 23 });
      expectRecords(stream.content, stream.gaps, members);
      const reasons = gaps.found.map(({ reason }) => reason);
      expect(stream.gaps.found.map(({ reason }) => reason)).toEqual(reasons);

      if ([...damaged].some(({ isNested }) => isNested) || !(kind in WITHIN)) continue;
      const starts = members.map((_, at) => lengthOf(members.slice(0, at)));
      const expected = starts.filter((_, at) => damaged.has(members[at] as Member));
      expect(gaps.found.map(({ reason }) => Number(/byte (\d+)/.exec(reason)?.[1]))).toEqual(
        expected,
      );
    }
  },
  120_000,
);

test("a stream of which only a part is held gives all of a good archive, and what comes before damage", async () => {
  const random = new Random(61);
  for (let round = 0; round < atLength(1, 30); round++) {
    // Some members are longer than what is searched for the next one.
    const members = Array.from({ length: 20 + random.below(60) }, (_, n) => memberOf(random, n));
    const read = (file: Buffer): Promise<{ content: Buffer; gaps: Gaps }> => {
      const held = new HeldStream(rangesOf(file, 1 + random.below(9000))(0, file.length), 1 << 18);
      const passed = (position: number): void => held.drop(position);
      return recovered(held.read, { shortest: 500, passed, searched: 3000 });
    };
    const { content, gaps } = await read(fileOf(members));
    expect(content.equals(Buffer.concat(members.map(({ record }) => record)))).toBe(true);
    expect(gaps.found).toEqual([]);
    const damaged = random.pick(members);
    damaged.bytes = (WITHIN["a flipped bit"] as Damage)(Buffer.from(damaged.bytes), random);
    damaged.isWhole = false;
    const outcome = await read(fileOf(members)).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "Z_DATA_ERROR" });
    else {
      const { content: rest, gaps: found } = outcome as { content: Buffer; gaps: Gaps };
      expectRecords(rest, found, members);
    }
  }
});
