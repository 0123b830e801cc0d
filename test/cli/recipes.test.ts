import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CLI_PATH } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const PYTHON = process.env["PYTHON"] ?? "python3";
const has = (module: string): boolean =>
  isHere(`${module} for Python`, spawnSync(PYTHON, ["-c", `import ${module}`]).status === 0);
const [CLICKHOUSE, DUCKDB, WASMTIME] = ["chdb", "duckdb", "wasmtime"].map((module) =>
  has(module) ? "" : `, skipped because ${module} is missing in ${PYTHON}`,
) as [string, string, string];

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Lists the blocks of the document under headings that begin with some words. */
function blocksOf(words: string): Block[] {
  const text = readFileSync(
    new URL("../../docs/python-spark-duckdb-clickhouse.md", import.meta.url),
    "utf8",
  );
  const sections = text.split(/^## /m).filter((section) => section.startsWith(words));
  const blocks = sections.join("").matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language = "", block = ""]) => ({ language, text: block }));
}

const folder = tempFolder();
const bin = join(folder, "bin");
const scripts = join(folder, "user_scripts");
for (const made of [bin, scripts]) mkdirSync(made);
const PATH = `${bin}:${process.env["PATH"]}`;

/** Makes a command for the shell. */
function addCommand(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${script} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}
addCommand("urlmill", `"${process.execPath}" "${CLI_PATH}"`);
addCommand(
  "python",
  `env PYTHONPATH="${fileURLToPath(new URL("../../python/src", import.meta.url))}" "${PYTHON}"`,
);
addCommand(
  "duckdb",
  `"${PYTHON}" "${fileURLToPath(new URL("duckdb-command.py", import.meta.url))}"`,
);

function shell(script: string): string {
  const env = { ...process.env, PATH, USER_SCRIPTS: scripts, URLMILL_ENGINE: "" };
  const { status, stdout, stderr } = spawnSync("sh", ["-ec", script], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** Pairs each block with the text that the document shows for it. */
function withResults(
  blocks: readonly Block[],
  language: string,
): { asked: string; shown: string }[] {
  return blocks.flatMap((block, at) =>
    block.language === language && blocks[at + 1]?.language === "text"
      ? [{ asked: block.text, shown: (blocks[at + 1] as Block).text }]
      : [],
  );
}

describe("docs/python-spark-duckdb-clickhouse.md", () => {
  test.runIf(CLICKHOUSE === "")(
    `shows what ClickHouse answers${CLICKHOUSE}`,
    () => {
      const blocks = blocksOf("ClickHouse:");
      const functions = join(folder, "urlmill_function.xml");
      writeFileSync(functions, blocks.find(({ language }) => language === "xml")?.text as string);
      for (const { language, text } of blocks) if (language === "sh") shell(text);
      const recipes = withResults(blocks, "sql");
      expect(recipes.length).toBe(3);
      const statements = recipes.map(({ asked }) =>
        asked.split(/;$/m).filter((part) => part.trim()),
      );
      const { status, stdout, stderr } = spawnSync(
        PYTHON,
        [
          fileURLToPath(new URL("clickhouse.py", import.meta.url)),
          scripts,
          functions,
          JSON.stringify(statements.flat()),
        ],
        { env: { ...process.env, PATH }, encoding: "utf8" },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const answers = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as string);
      let at = 0;
      for (const [recipe, { shown }] of recipes.entries()) {
        at += (statements[recipe] as string[]).length;
        expect(answers[at - 1]).toBe(shown);
      }
    },
    60_000,
  );

  test.runIf(DUCKDB === "")(
    `shows what DuckDB answers${DUCKDB}`,
    () => {
      const recipes = withResults(blocksOf("DuckDB:"), "sh");
      expect(recipes.length).toBe(2);
      for (const { asked, shown } of recipes) expect(shell(asked)).toBe(shown);
    },
    60_000,
  );

  test("shows what is left of files of documents", () => {
    const recipes = withResults(blocksOf("Dolma"), "sh");
    expect(recipes.length).toBe(1);
    for (const { asked, shown } of recipes) expect(shell(asked)).toBe(shown);
  });

  test.runIf(WASMTIME === "")(`shows commands that Python runs${WASMTIME}`, () => {
    const [{ text } = { text: "" }] = blocksOf("The command without Node");
    shell(`{ ${text} } 2> said`);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(read("unique.txt")).toBe("HTTP://A/?b&a\nhttp://b/\n");
    expect(read("newest.csv")).toBe("url,date\nhttp://a/,2024-05-01\n");
    expect(read("new.txt")).toBe("HTTP://A/?b&a\nhttp://b/\n");
    expect(read("keyed.jsonl")).toBe(
      '{"page": {"url": "HTTP://A"},"normalized_url":"http://a/"}\n',
    );
    expect(read("said")).toMatch(/^urlmill: plan of \d+ bytes, profileId \w+\n$/);
  });
});
