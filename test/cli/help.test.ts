import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Status, type UrlErrorCode } from "../../src/base/status.ts";
import { CDX } from "../../src/cli/cdx/cdx.ts";
import { flagsOf } from "../../src/cli/flags/command.ts";
import { COMMAND_LIST, COMMANDS } from "../../src/cli/flags/commands.ts";
import { flagForm, helpOf, usage } from "../../src/cli/flags/help-text.ts";
import { OPTION_GROUPS } from "../../src/cli/flags/option-flags.ts";
import { LEARN } from "../../src/cli/learn/learn.ts";
import { LISTS } from "../../src/cli/lists/lists.ts";
import { SEEN } from "../../src/cli/seen/seen.ts";
import { OPTION_NAMES } from "../../src/options/options.ts";
import { flagOf } from "../../src/runs/call/flags/flag.ts";
import { runCli } from "../shared/cli.ts";

const ALL = [...COMMANDS, ...LEARN.commands, ...LISTS.commands, ...SEEN.commands, ...CDX.commands];

test("help COMMAND prints what COMMAND --help prints", async () => {
  const calls = [...COMMAND_LIST.map(({ name }) => [name]), ["learn", "mine"], ["seen", "convert"]];
  const asked = calls.flatMap((call) => [runCli(["help", ...call]), runCli([...call, "--help"])]);
  const results = await Promise.all(asked);
  for (const [at, call] of calls.entries()) {
    const [byHelp, byFlag] = results.slice(2 * at, 2 * at + 2);
    expect(byHelp).toMatchObject({ code: 0, stderr: "" });
    expect(byHelp?.stdout).toMatch(new RegExp(`^urlmill ${call.join(" ")}[ :]`));
    if (call[0] !== "help") expect(byFlag).toEqual(byHelp);
  }
});

test.each(["normalize", "dedupe"])("%s -h prints a screen with the common flags", async (name) => {
  const { code, stdout } = await runCli([name, "-h"]);
  const lines = stdout.split("\n");
  expect({ code, isScreen: lines.length < 45 }).toEqual({ code: 0, isScreen: true });
  for (const flag of [
    "--format",
    "--output FILE",
    "-p, --preset",
    "-q, --quiet",
    "-j, --threads N",
  ]) {
    expect(stdout).toContain(flag);
  }
  expect(stdout).toContain(`urlmill ${name} --help shows all flags.`);
  expect(stdout).not.toContain("--trailing-slash");
});

test("-h of a command with few flags is its help", async () => {
  expect(await runCli(["schema", "-h"])).toEqual(await runCli(["schema", "--help"]));
});

test("help alone prints what --help prints, with a line for each command", async () => {
  const { stdout } = await runCli(["help"]);
  expect(stdout).toBe((await runCli(["--help"])).stdout);
  for (const { name } of COMMAND_LIST) expect(stdout).toContain(`\n  urlmill ${name} `);
});

test("help of an unknown command is a wrong call", async () => {
  const { code, stderr } = await runCli(["help", "dedup"]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    'urlmill: there is no command or step "dedup"; did you mean dedupe? See urlmill help specification\n',
  );
});

test("help of an option takes the name of its flag, and of another flag names its command", async () => {
  expect(await runCli(["help", "session-ids"])).toEqual(await runCli(["help", "sessionIds"]));
  const { code, stderr } = await runCli(["help", "keep"]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    'urlmill: "keep" is not a command or step; --keep is a flag; see urlmill dedupe --help\n',
  );
});

test("help STEP prints what a step does and its section of the specification, without Markdown's links", async () => {
  const { code, stdout } = await runCli(["help", "DOTsegments"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^dotSegments: removes \. and \.\. from the path\n\nSpecial schemes\n\n/);
  expect(stdout).toMatch(/^http:\/\/a\/b\/\.\.\/c\/\.\/d +http:\/\/a\/c\/d$/m);
  expect(stdout).not.toContain("International domains");
});

test("help specification lists each section with the call that prints it", async () => {
  const { stdout } = await runCli(["help", "specification"]);
  const names = [...stdout.matchAll(/urlmill help (\S+)/g)].map(([, name]) => name as string);
  expect(names).toEqual(expect.arrayContaining(["promises", "special-schemes", "sortQuery"]));
  for (const name of names) {
    const section = await runCli(["help", name]);
    expect(section.code).toBe(0);
    const lines = Buffer.from(section.stdout, "latin1").toString().split("\n");
    const wide = lines.filter((line) => line.length > 80);
    // Columns are as wide as their cells.
    expect(wide.filter((line) => !/ {2}/.test(line) && line.includes(" "))).toEqual([]);
    expect(section.stdout).not.toMatch(/`\w|\*\*|src\//);
  }
});

test("help CODE says what each code of an error means", async () => {
  const codes = Object.keys(Status).filter((code) => Status[code as UrlErrorCode] > Status.CHANGED);
  const text = readFileSync(new URL("../../src/base/errors.ts", import.meta.url), "utf8");
  const ofCalls = [...text.matchAll(/^ {2}\| "([A-Z_]+)"/gm)].map(([, code = ""]) => code);
  expect(ofCalls.length).toBeGreaterThan(10);
  for (const code of [...codes, ...ofCalls, "BLOCKED", "INPUT_CHANGED"]) {
    const run = await runCli(["help", code]);
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^${code}: .`)),
    });
  }
  expect((await runCli(["help", "no_scheme"])).stdout).toMatch(/^NO_SCHEME: /);
});

test("a flag of choices has the first one that help lists, or no default", () => {
  const flags = ALL.flatMap(flagsOf).filter(({ choices }) => choices !== undefined);
  const defaults = flags.flatMap((flag) => {
    const value = flag.read({});
    return value === undefined ? [] : [[flag.name, value, flag.choices?.[0]]];
  });
  expect(defaults).toContainEqual(["on-error", "keep", "keep"]);
  expect(defaults.filter(([, value, first]) => value !== first)).toEqual([]);
});

test("every option of the API but module has a flag", () => {
  const names = ALL.flatMap(flagsOf).map(({ name }) => name);
  expect(OPTION_NAMES.map(flagOf).filter((flag) => !names.includes(flag))).toEqual([]);
});

test("the flags of options are options of the API, or name a file with them", () => {
  const flags = OPTION_GROUPS.flatMap((group) => group.flags).map(({ name }) => name);
  const options = OPTION_NAMES.map(flagOf);
  expect(flags.filter((name) => !options.includes(name))).toEqual(["config", "hosts-file"]);
});

describe.each(ALL.map((command) => [command.name, command] as const))("%s", (_name, command) => {
  test("has no two flags of one name or letter", () => {
    const names = flagsOf(command).flatMap(({ name, short = name }) => [...new Set([name, short])]);
    expect(names).toEqual([...new Set(names)]);
  });

  test("shows its help", () => {
    expect(flagsOf(command)).toContainEqual(expect.objectContaining({ name: "help", short: "h" }));
  });

  test("has a help with each flag, no wider than a terminal", () => {
    const lines = helpOf(command).split("\n");
    for (const flag of flagsOf(command)) {
      const form = `  ${flagForm(flag)}`;
      expect(lines.filter((line) => line === form || line.startsWith(`${form} `))).toHaveLength(1);
    }
    for (const line of lines) expect(line.length).toBeLessThan(80);
  });
});

test("the list of commands is no wider than a terminal", () => {
  for (const line of usage().split("\n")) expect(line.length).toBeLessThan(80);
});

test("the meanings of errors name flags, and not options of the API", async () => {
  const scheme = "the scheme is not allowed; --allowed-schemes lists those that are";
  const length = "longer than --max-length, or than memory allows";
  for (const [args, says] of [
    [["explain", "--allowed-schemes", "http", "foo://a/"], scheme],
    [["explain", "--max-length", "9", "http://aaaaaaaa/"], length],
    [["normalize", "--max-length", "9", "http://aaaaaaaa/"], length],
    [["help", "TOO_LONG"], length],
  ] as const) {
    const { stdout, stderr } = await runCli([...args]);
    expect((stdout + stderr).replaceAll(/\s+/g, " ")).toContain(says);
  }
});
