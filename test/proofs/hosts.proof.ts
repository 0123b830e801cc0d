// Builds the hosts in go and rust, and compares what they print with what `urlmill normalize` prints.

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
/** The longest URL that the programs ask memory for. */
const LONGEST = 1 << 20;

const HOSTS = [
  {
    name: "Rust and wasmtime",
    folder: "rust",
    build: [
      "cargo",
      "build",
      "--release",
      "--locked",
      "--bins",
      "--benches",
      "--target-dir",
      built,
    ],
    program: join(built, "release/normalize"),
  },
  {
    name: "Go and wazero",
    folder: "go",
    build: ["go", "build", "-o", join(built, "go/"), "./..."],
    program: join(built, "go/normalize"),
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

function run(program: string, plan: Uint8Array, list: Uint8Array, kernel = KERNEL): Run {
  writeFileSync(file("plan"), plan);
  writeFileSync(file("list"), list);
  const args = [kernel, file("plan"), file("list")];
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
function otherKernel(name: string, replace: (module: binaryen.Module) => void): string {
  const module = binaryen.readBinary(readFileSync(KERNEL));
  module.removeExport(name);
  replace(module);
  writeFileSync(file("kernel.wasm"), module.emitBinary());
  module.dispose();
  return file("kernel.wasm");
}

const planOf = (options: NormalizerOptions): Uint8Array => createNormalizer(options).plan;

describe.each(HOSTS)("the host in $name", ({ folder: source, build, program }) => {
  beforeAll(() => {
    mkdirSync(built, { recursive: true });
    const [command = "", ...args] = build;
    execFileSync(command, args, { cwd: join(root, source), stdio: "pipe" });
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

  test("says TOO_LONG of a URL that is longer than its memory, and goes on", () => {
    const list = Buffer.from(`HTTP://A\nhttp://a/${"x".repeat(LONGEST)}\nHTTP://B`);
    const { status, output, errors } = run(program, planOf({ maxLength: 64 << 20 }), list);
    const [first, long, last] = output.toString().split("\n");
    expect([status, first, long?.length, last]).toEqual([0, "http://a/", LONGEST + 9, "http://b/"]);
    expect(errors).toBe("2\tTOO_LONG\n");
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

  test("refuses a kernel of another interface, and names both versions", () => {
    const kernel = otherKernel("ABI_VERSION", (module) => {
      module.addGlobal("other", binaryen.i32, false, module.i32.const(99));
      module.addGlobalExport("other", "ABI_VERSION");
    });
    const { status, output, errors } = run(program, planOf({}), LIST, kernel);
    expect([status, output.length]).toEqual([1, 0]);
    expect(errors).toMatch(/^ENGINE_FAILED: .*\b99\b.*\b13\b/);
  });

  test("refuses what is not a kernel", () => {
    const { status, errors } = run(program, planOf({}), LIST, file("plan"));
    expect(status).toBe(1);
    expect(errors).toMatch(/^ENGINE_UNAVAILABLE: /);
  });

  test.each<[string, (module: binaryen.Module) => number]>([
    ["a trap", (module) => module.unreachable()],
    [
      "a stack that is full",
      (module) =>
        module.i32.add(
          module.call("own", [module.local.get(0, binaryen.i32)], binaryen.i32),
          module.i32.const(1),
        ),
    ],
  ])("says that the kernel stopped at %s", (_, bodyOf) => {
    const kernel = otherKernel("normalizeColumn", (module) => {
      module.addFunction("own", binaryen.i32, binaryen.i32, [], bodyOf(module));
      module.addFunctionExport("own", "normalizeColumn");
    });
    const { status, output, errors } = run(program, planOf({}), LIST, kernel);
    expect([status, output.length]).toEqual([1, 0]);
    expect(errors).toMatch(/^ENGINE_FAILED: /);
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
