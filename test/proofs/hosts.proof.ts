// Runs the checks and tests of the packages for Go and Rust, with what Node makes of the same URLs, and compares what their
// example programs print with what `urlmill normalize` prints.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "assemblyscript/binaryen";
import { beforeAll, describe, expect, test } from "vitest";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { OPTION_VALUES } from "../../src/options/catalog.generated.ts";
import { LISTS_PLAN_VERSION, PLAN_VERSIONS } from "../../src/plan/layout.ts";
import { CLI_PATH } from "../shared/cli.ts";
import { readCorpus, readJsonFixture } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = join(root, "build/hosts");
const KERNEL = join(root, "dist/kernel.wasm");
/** The longest URL of a preset. */
const LONGEST = 1 << 20;
const TARGET = ["--locked", "--target-dir", built];

const HOSTS = [
  {
    name: "Go and wazero",
    folder: "go",
    checks: [
      ["go", "vet", "./..."],
      ["go", "-C", "bench", "vet", "./..."],
    ],
    // It names files, and ends with 0.
    formats: ["gofmt", "-l", "."],
    build: ["go", "build", "-o", join(built, "go/"), "./..."],
    tests: ["go", "test", "-race", "-count=1", "./..."],
    program: join(built, "go/normalize"),
  },
  {
    name: "Rust and wasmtime",
    folder: "rust",
    checks: [["cargo", "clippy", ...TARGET, "--all-targets", "--", "--deny", "warnings"]],
    formats: ["cargo", "fmt", "--check"],
    build: ["cargo", "build", ...TARGET, "--release", "--examples", "--benches"],
    // The examples in documents and doc comments are tests, too.
    tests: ["cargo", "test", ...TARGET, "--release", "--", "--include-ignored"],
    program: join(built, "release/examples/normalize"),
  },
];

const folder = tempFolder();
const file = (name: string): string => join(folder, name);

/** Returns all texts in a value of JSON: the inputs of vectors, and what they become. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value instanceof Object ? Object.values(value).flatMap(textsIn) : [];
}

const VECTORS = ["seeds", "pairs", "rfc3986", "purell", "wpt/urltestdata"].flatMap((name) =>
  textsIn(readJsonFixture(`${name}.json`)).filter((text) => !text.includes("\n")),
);
/** Vectors, hostile URLs, ends of lines, the bundled list, and a last line without an end. */
const LIST = Buffer.concat([
  Buffer.from(`${VECTORS.join("\n")}\n`),
  Buffer.from(`${hostileUrls(43, 20_000).join("\n")}\n`, "latin1"),
  Buffer.from("HTTP://A/%7e\r\n\r\n \r\r\n\nnot a url\r\n"),
  Buffer.from(`http://a/${"x".repeat(LONGEST - 9)}\nhttp://a/${"x".repeat(LONGEST - 8)}\n`),
  readCorpus(),
  Buffer.from("http://B:80/\r"),
]);

interface Run {
  readonly status: number | null;
  readonly output: Buffer;
  readonly errors: string;
}

function run(program: string, plan: Uint8Array, list: Uint8Array): Run {
  writeFileSync(file("plan"), plan);
  writeFileSync(file("list"), list);
  const args = [file("plan"), file("list")];
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1 << 28 });
  return { status, output: stdout, errors: stderr.toString() };
}

/** Returns what the command line prints, and a line with number and code for each error. */
function expected(flags: readonly string[], list: Uint8Array): Run {
  const args = [CLI_PATH, "normalize", "--format", "lines", "--errors", file("errors"), ...flags];
  const output = execFileSync(process.execPath, args, { input: list, maxBuffer: 1 << 28 });
  const errors = readFileSync(file("errors"), "latin1").replace(/^(\d+\t\w+)\t.*$/gm, "$1");
  return { status: 0, output, errors };
}

/** Writes the kernel with another export in place of one of its own. */
function writeKernel(to: string, name: string, replace: (module: binaryen.Module) => void): void {
  const module = binaryen.readBinary(readFileSync(KERNEL));
  module.removeExport(name);
  replace(module);
  writeFileSync(join(folder, to), module.emitBinary());
  module.dispose();
}

/** Writes what the tests of the packages read: kernels that are damaged, and what Node makes of columns. */
function writeForTests(): NodeJS.ProcessEnv {
  const traps = (to: string, bodyOf: (module: binaryen.Module) => number): void =>
    writeKernel(to, "normalizeColumn", (module) => {
      module.addFunction("own", binaryen.i32, binaryen.i32, [], bodyOf(module));
      module.addFunctionExport("own", "normalizeColumn");
    });
  writeFileSync(file("not-wasm.wasm"), "not a kernel");
  writeKernel("other-abi.wasm", "ABI_VERSION", (module) => {
    module.addGlobal("other", binaryen.i32, false, module.i32.const(99));
    module.addGlobalExport("other", "ABI_VERSION");
  });
  traps("traps.wasm", (module) => module.unreachable());
  traps("full-stack.wasm", (module) => {
    const row = module.local.get(0, binaryen.i32);
    return module.i32.add(module.call("own", [row], binaryen.i32), module.i32.const(1));
  });
  const script = join(root, "java/src/test/node/write_results.mjs");
  execFileSync(process.execPath, [script, "100", "400", "43", file("results")]);
  return { ...process.env, URLMILL_KERNELS: folder, URLMILL_RESULTS: file("results") };
}

/** Runs a command in a folder of the repository. Throws with all that it prints if it fails. */
function runIn(source: string, command: readonly string[], env?: NodeJS.ProcessEnv): string {
  const [program = "", ...args] = command;
  const cwd = join(root, source);
  const options = { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

const planOf = (options: NormalizerOptions): Uint8Array => createNormalizer(options).plan;

describe.each(HOSTS)("the package for $name", (host) => {
  const { folder: source, program } = host;
  beforeAll(() => {
    mkdirSync(built, { recursive: true });
    runIn(source, host.build);
  }, 1_800_000);

  test("is formatted, and its linters find nothing", () => {
    for (const command of host.checks) runIn(source, command);
    expect(runIn(source, host.formats)).toBe("");
  }, 1_800_000);

  test("passes its own tests, with results of Node and damaged kernels", () => {
    runIn(source, host.tests, writeForTests());
  }, 1_800_000);

  test.each(OPTION_VALUES.preset)("prints what urlmill prints under preset %s", (preset) => {
    const { status, output, errors } = run(program, planOf({ preset }), LIST);
    const { output: bytes, errors: codes } = expected(["--preset", preset], LIST);
    expect([status, output.equals(bytes)]).toEqual([0, true]);
    expect(errors).toBe(codes);
  });

  test("takes a plan with rules for domains, and a shorter maxLength", () => {
    const rules = "#urlmill-rules 1\n*.com\t*\tdrop ref<*>,q\n";
    writeFileSync(file("rules.tsv"), rules);
    const plan = planOf({ preset: "crawl", rules, maxLength: 100 });
    expect(plan[0]).toBe(LISTS_PLAN_VERSION);
    const flags = ["--preset", "crawl", "--rules", file("rules.tsv"), "--max-length", "100"];
    const { status, output, errors } = run(program, plan, LIST);
    const { output: bytes, errors: codes } = expected(flags, LIST);
    expect([status, output.equals(bytes)]).toEqual([0, true]);
    expect(errors).toBe(codes);
  });

  test("prints nothing for an empty list", () => {
    const { status, output, errors } = run(program, planOf({}), Buffer.alloc(0));
    expect([status, output.length, errors]).toEqual([0, 0, ""]);
  });

  test("takes a URL of 2 MB if the plan allows it", () => {
    const list = Buffer.from(`HTTP://A\nhttp://a/${"%7e".repeat(700_000)}\nHTTP://B`);
    const flags = ["--max-length", String(64 << 20)];
    const { status, output, errors } = run(program, planOf({ maxLength: 64 << 20 }), list);
    expect([status, output.equals(expected(flags, list).output), errors]).toEqual([0, true, ""]);
  });

  test("refuses a plan of another version, and names both", () => {
    const plan = planOf({}).slice();
    const other = Math.max(...PLAN_VERSIONS) + 1;
    plan[0] = other;
    const { status, output, errors } = run(program, plan, LIST);
    expect([status, output.length]).toEqual([1, 0]);
    expect(errors).toMatch(/^BAD_OPTION: /);
    for (const version of [other, ...PLAN_VERSIONS]) {
      expect(errors).toMatch(RegExp(`\\b${version}\\b`));
    }
  });

  test("refuses damaged plans, or goes to the end", () => {
    const plan = planOf({ preset: "crawl", rules: "#urlmill-rules 1\na.com\t*\tdrop q\n" });
    const random = new Random(43);
    const cut = [0, 3, 4, 7, 44, plan.length - 1].map((length) => plan.slice(0, length));
    const changed = Array.from({ length: 14 }, (_, at) => {
      const mutant = plan.slice();
      // Half of the changes are in the header.
      mutant[4 + random.below(at % 2 === 0 ? 44 : plan.length - 4)] = random.below(256);
      return mutant;
    });
    const list = LIST.subarray(0, 1 << 18);
    for (const mutant of [...cut, ...changed]) {
      const { status, errors } = run(program, mutant, list);
      expect([0, 1]).toContain(status);
      if (status === 1) expect(errors).toMatch(/^BAD_OPTION: /);
    }
    for (const mutant of cut) expect(run(program, mutant, list).status).toBe(1);
  });
});
