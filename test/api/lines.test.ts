import { expect, test } from "vitest";
import { Status, UrlmillError } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { linesOf } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const text = (data: Uint8Array): string => Buffer.from(data).toString("latin1");

describeEngines("normalizeLines", (create) => {
  const normalizer = create();

  test("gives one line per line, failed ones empty, with their status", () => {
    const result = normalizer.normalizeLines(bytes("http://A/\nbad\nhttp://b/\n"));
    expect(text(result.bytes)).toBe("http://a/\n\nhttp://b/\n");
    expect([...result.status]).toEqual([Status.CHANGED, Status.NO_SCHEME, Status.UNCHANGED]);
    expect(result.lines).toBe(3);
  });

  test.each([
    ["", [], ""],
    ["\n", [Status.EMPTY], "\n"],
    ["\r\n", [Status.EMPTY], "\n"],
    ["http://a/", [Status.UNCHANGED], "http://a/\n"],
    ["http://a/\r", [Status.CHANGED], "http://a/\n"],
    ["http://a/\r\nhttp://b/\r\n", [Status.UNCHANGED, Status.UNCHANGED], "http://a/\nhttp://b/\n"],
    ["http://a/\r\r\n", [Status.CHANGED], "http://a/\n"],
    ["\n\nhttp://a/", [Status.EMPTY, Status.EMPTY, Status.UNCHANGED], "\n\nhttp://a/\n"],
  ] as const)("reads %j", (input, status, output) => {
    const result = normalizer.normalizeLines(bytes(input));
    expect([...result.status]).toEqual(status);
    expect(text(result.bytes)).toBe(output);
  });

  test("keeps order and count over many windows of short, long and empty lines", () => {
    const random = new Random(7);
    const lines = Array.from({ length: atLength(6_000, 60_000) }, (_, index) =>
      random.chance(5)
        ? ""
        : `http://h${index}.example/${"p".repeat(random.below(random.chance(900) ? 400_000 : 60))}${random.pick(["", "%7e", "?q", "#f", "/../", "é"])}`,
    );
    const input = Buffer.from(lines.join("\n"), "utf8");
    const result = normalizer.normalizeLines(input);
    const single = Buffer.from(lines.join("\n"), "utf8").toString("latin1").split("\n");
    const expected = single.map((line) =>
      normalizer.tryNormalize(Buffer.from(line, "latin1").toString("utf8")),
    );
    expect(result.lines).toBe(lines.length);
    expect(linesOf(result.bytes)).toEqual(expected.map(({ url }) => url ?? ""));
    expect([...result.status]).toEqual(expected.map(({ status }) => status));
  });

  test("takes a line at the limit and refuses one above it, wherever windows end", () => {
    const limit = 1 << 20;
    const fits = `http://a/${"x".repeat(limit - 9)}`;
    for (const end of ["\n", "\r\n", ""]) {
      const input = bytes(`http://b/\n${fits}x\n${fits}${end}`);
      expect([...normalizer.normalizeLines(input).status]).toEqual([0, Status.TOO_LONG, 0]);
    }
  });

  test("refuses output above the limit, so that what it wrote can be read again", () => {
    const small = create({ maxLength: 20 });
    const result = small.normalizeLines(bytes("http://a/      x\nhttp://a/ x\n"));
    expect([...result.status]).toEqual([Status.TOO_LONG, Status.CHANGED]);
    expect(text(result.bytes)).toBe("\nhttp://a/%20x\n");
  });

  test("resolves against a base and lets it go again", () => {
    const based = normalizer.normalizeLines(bytes("c\n\n"), { base: "http://h/a/b" });
    expect(text(based.bytes)).toBe("http://h/a/c\nhttp://h/a/b\n");
    expect([...normalizer.normalizeLines(bytes("c\n")).status]).toEqual([Status.NO_SCHEME]);
  });

  test("makes room for a base larger than any before", () => {
    const base = `http://h/${"d/".repeat(200_000)}x`;
    const result = normalizer.normalizeLines(bytes("y\nhttp://a/\n../z\n"), { base });
    const folder = `http://h/${"d/".repeat(200_000)}`;
    expect(linesOf(result.bytes)).toEqual([`${folder}y`, "http://a/", `${folder.slice(0, -2)}z`]);
  });

  test("refuses a base that is not an absolute URL", () => {
    expect(() => normalizer.normalizeLines(bytes("c\n"), { base: "/a" })).toThrow(UrlmillError);
    expect(() => normalizer.normalizeLines(bytes("c\n"), { base: "/a" })).toThrow(
      /is not an absolute URL/,
    );
  });
});

describeEngines("normalizeWindows", (create) => {
  test("leaves what stands after the last LF unless it is final", () => {
    const normalizer = create();
    const seen: string[] = [];
    const take = (input: string, final: boolean) =>
      normalizer.normalizeWindows(bytes(input), final, {}, ({ output }) => seen.push(text(output)));
    expect(take("http://A\nhttp://B", false)).toBe(9);
    expect(take("http://B", false)).toBe(0);
    expect(take("http://B", true)).toBe(8);
    expect(seen).toEqual(["http://a/\n", "http://b/\n"]);
  });
});
