import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "urlmill/pool";
import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { PageTrust, parseTrust } from "../../src/learn/index.ts";
import { RULES_HEADER } from "../../src/site-rules/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const EVIDENCE = "fingerprint n=12 ok=12 lb=.7575";

const file = (line: string) => `${RULES_HEADER}\na.org\t*\tdrop sid\n${line}\nb.org\t*\tsort\n`;

/** Malformed lines, and what the reason says. */
const MALFORMED = [
  ["another statement", "a.org\t*\ttrust canonicle", "is not trust in canonical, shortlink, og"],
  ["no statement", "a.org\t*\ttrust ", "is not trust in canonical, shortlink, og"],
  ["no space after trust", "a.org\t*\ttrust", "there is no action"],
  ["two statements", "a.org\t*\ttrust og canonical", "is not trust in canonical"],
  ["a self link without #", "a.org\t*\ttrust self p<N>", "is not trust in canonical"],
  ["a space in the fragment", "a.org\t*\ttrust self #p q", "is not trust in canonical"],
  ["a byte above ASCII", "a.org\t*\tdistrust self #\u00e9", "is not trust in canonical"],
  ["from 0", "a.org\t/t\ttrust self #p from 0", "is not trust in canonical"],
  ["from 10000", "a.org\t/t\ttrust self #p from 10000", "is not trust in canonical"],
  ["a shape without /", "a.org\tt?p\ttrust self #p", '"t?p" is not a shape'],
  ["a space in the path", "a.org\t/a b\tdistrust og", '"/a b" is not a shape'],
  ["another host", "A.org\t*\ttrust og", '"A.org" is not a host of a normalized URL'],
  ["every host", "*\t*\ttrust og", '"*" is not a host of a normalized URL'],
  ["evidence without counts", "a.org\t*\ttrust og\tsure", '"sure" is not evidence'],
  ["more right than all", "a.org\t*\ttrust og\tdeclared n=1 ok=2 lb=1", "n=1 ok=2"],
  ["five columns", `a.org\t*\ttrust og\t${EVIDENCE}\tx`, "is not trust in canonical"],
] as const;

/** Returns code and message of what a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await call();
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("not refused");
}

describe("a malformed line of trust is refused with its line and the reason", () => {
  describe.each(MALFORMED)("%s", (_, line, reason) => {
    const rules = file(line);
    test.each([
      ...ENGINES.map(
        (engine) => [`engine ${engine}`, () => createNormalizer({ engine, rules })] as const,
      ),
      ["a pool", () => createPool({ rules, threads: 1 })] as const,
      ["parseTrust", () => parseTrust(rules)] as const,
      ["PageTrust", () => new PageTrust(rules)] as const,
    ])("by %s", async (_, call) => {
      const { code, message } = await errorOf(call);
      expect(code).toBe("BAD_RULES");
      expect(message).toMatch(/^line 3 of the rules: /);
      expect(message).toContain(reason);
    });
  });
});

test.each(ENGINES)("lines of trust that are well formed change no URL, engine %s", (engine) => {
  const rules = file(`a.org\t/t/<N> ?p&q\ttrust self #p<N> from 4\t${EVIDENCE}`);
  const n = createNormalizer({ engine, rules });
  expect(n.normalize("http://a.org/t/7?p=1&q=2&sid=3")).toBe("http://a.org/t/7?p=1&q=2");
});

test("the command line names the line and the reason", async () => {
  const folder = tempFolder();
  const path = join(folder, "rules.tsv");
  writeFileSync(path, file("a.org\t*\ttrust canonicle"));
  const { code, stderr } = await runCli(["normalize", "--rules", path], "http://a.org/\n");
  expect(code).toBe(2);
  expect(stderr).toContain('line 3 of the rules: "trust canonicle" is not trust in canonical');
});
