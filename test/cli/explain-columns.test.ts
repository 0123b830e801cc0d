import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";

test("explain begins every URL and every source in the same column, no wider than a terminal", async () => {
  const url = "HTTP://U@Www.Example.com.:80\\a/./%7e%c3|?b&utm_id=1&a&&#f";
  const { stdout } = await runCli(["explain", "--preset", "aggressive", url]);
  const lines = stdout.trimEnd().split("\n").slice(1, -1);
  const rules = lines.map((line) => /^ {2}([a-zA-Z]+ +)\S/.exec(line)?.[1]?.length ?? null);
  const [width = 0] = rules.filter((length) => length !== null);
  expect(new Set(rules)).toEqual(new Set([width, null]));
  for (const line of lines) {
    expect(line.slice(width + 2)).toMatch(/^\S/);
    expect(line.length).toBeLessThan(80);
  }
  expect(stdout).toContain("urlmill help sortQuery");
});
