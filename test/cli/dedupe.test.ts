import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { sampleOf } from "../shared/length.ts";

const INPUT = "http://B.com\nhttp://a.com/\nhttp://b.com:80/\nnothing\nhttp://a.com\nnothing\n";

describe.each(sampleOf(ENGINES, 2))("urlmill dedupe --engine %s", (engine) => {
  const dedupe = (...args: string[]) => runCli(["dedupe", "--engine", engine, ...args], INPUT);

  test("writes the first line of each normalized URL, or other text, as it was", async () => {
    const result = await dedupe("--stats");
    expect(result.stdout).toBe("http://B.com\nhttp://a.com/\nnothing\n");
    expect(JSON.parse(result.stderr)).toMatchObject({ lines: 6, duplicates: 3, errors: 2 });
  });

  test("writes the normalized form, or both", async () => {
    expect((await dedupe("--emit", "normalized")).stdout).toBe(
      "http://b.com/\nhttp://a.com/\nnothing\n",
    );
    expect((await dedupe("--emit", "both")).stdout).toBe(
      "http://b.com/\thttp://B.com\nhttp://a.com/\thttp://a.com/\n\tnothing\n",
    );
  });

  test("leaves out what is not a URL when asked to", async () => {
    expect((await dedupe("--on-error", "empty")).stdout).toBe("http://B.com\nhttp://a.com/\n");
  });

  test("keeps the first of equal lines over the limit", async () => {
    const long = "x".repeat(3_000_000);
    const result = await runCli(
      ["dedupe", "--engine", engine, "--emit", "both"],
      `${long}\n${long}y\r\n${long}\r\n`,
    );
    expect(result.stdout === `\t${long}\n\t${long}y\r\n`).toBe(true);
  });
});
