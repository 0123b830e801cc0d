// At full length only: it limits what a process may have.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sampleOf, testAtLength } from "../shared/length.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a script prints as JSON, on the built package with so many GB of address space. */
function runWithin(gigabytes: number, script: string): Record<string, unknown> {
  const prologue = `
    const codeOf = (call) => { try { return call(); } catch (error) { return error.code ?? String(error); } };
    const isRoom = codeOf(() => new WebAssembly.Memory({ initial: 1 }) && true) === true;
    const { createNormalizer } = await import("urlmill");
    const result = { isRoom };`;
  const { stdout, stderr } = spawnSync(
    "bash",
    [
      "-c",
      `ulimit -v ${gigabytes * 1_000_000}; exec "$0" --input-type=module -e "$1"`,
      process.execPath,
      `${prologue}\n${script}\nconsole.log(JSON.stringify(result));`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, unknown>;
}

// Some platforms do without the 10 GB where they cannot have them: then WebAssembly runs.
describe.skipIf(process.platform !== "linux")("where address space is limited", () => {
  test("auto normalizes, in JavaScript where it must, and wasm says what is wrong", () => {
    const result = runWithin(
      6,
      `const normalizer = createNormalizer({ engine: "auto" });
       result.engine = normalizer.engine;
       result.url = normalizer.normalize("HTTP://A/%7e");
       result.wasm = codeOf(() => createNormalizer({ engine: "wasm" }).normalize("HTTP://A/%7e"));`,
    );
    expect(result["url"]).toBe("http://a/~");
    expect(result["engine"]).toBe(result["isRoom"] ? "wasm" : "js");
    expect(result["wasm"]).toBe(result["isRoom"] ? "http://a/~" : "ENGINE_UNAVAILABLE");
  });

  test("a set takes JavaScript where the normalizer has the last kernel there is room for", () => {
    const result = runWithin(
      15,
      `const { SeenSet } = await import("urlmill/seen");
       const answers = async (engine) => {
         const seen = new SeenSet({ engine });
         return [...await seen.addBatch(["http://a/", "HTTP://A", "http://b/"])];
       };
       result.auto = await answers("auto");
       result.wasm = await answers("wasm").catch((error) => error.code);`,
    );
    expect(result["auto"]).toEqual([1, 0, 1]);
    expect([[1, 0, 1], "ENGINE_UNAVAILABLE"]).toContainEqual(result["wasm"]);
  });

  test("the workers of a pool take JavaScript, or say that there is no memory for a kernel", () => {
    const result = runWithin(
      17,
      `const { createPool } = await import("urlmill/pool");
       const urls = Array.from({ length: 60_000 }, (_, row) => "HTTP://A/some/path/" + row);
       const last = async (engine) => {
         const pool = createPool({ engine, threads: 2, minBatchBytes: 0 });
         try {
           return (await pool.normalizeBatch(urls)).urls.at(-1);
         } finally {
           await pool.close();
         }
       };
       result.auto = await last("auto");
       result.wasm = await last("wasm").catch((error) => error.code);`,
    );
    expect(result["auto"]).toBe("http://a/some/path/59999");
    expect(["http://a/some/path/59999", "ENGINE_UNAVAILABLE"]).toContain(result["wasm"]);
  });

  // Without room for the heap of a thread, V8 would end the process.
  test.each(sampleOf([2, 12], 2))(
    "a pool that has no room for a thread in %i GB works on the calling one",
    (gigabytes) => {
      const result = runWithin(
        gigabytes,
        `const { createPool } = await import("urlmill/pool");
       const urls = Array.from({ length: 60_000 }, (_, row) => "HTTP://A/some/path/" + row);
       const pool = createPool({ threads: 4, minBatchBytes: 0 });
       result.threads = pool.threads;
       let rows = 0;
       const onProgress = (done) => { rows = done.rows; };
       result.last = (await pool.normalizeBatch(urls, { onProgress })).urls.at(-1);
       result.rows = rows;
       const lines = await pool.normalizeLines(Buffer.from(urls.join("\\n")));
       result.lines = lines.lines;
       result.fingerprints = (await pool.fingerprintBatch(urls)).fingerprints.length;
       const each = [];
       for await (const { url } of pool.normalizeEach(urls.slice(0, 2))) each.push(url);
       result.each = each;
       const stop = new AbortController();
       setImmediate(() => stop.abort(new Error("enough")));
       const { signal } = stop;
       result.aborted = await pool.normalizeBatch(urls, { signal }).catch(({ message }) => message);
       await pool.close();
       result.closed = await pool.normalizeBatch(urls).catch((error) => error.code);`,
      );
      expect(result).toEqual({
        isRoom: expect.any(Boolean),
        threads: 1,
        last: "http://a/some/path/59999",
        rows: 60_000,
        lines: 60_000,
        fingerprints: 960_000,
        each: ["http://a/some/path/0", "http://a/some/path/1"],
        aborted: "enough",
        closed: "POOL_CLOSED",
      });
    },
  );

  // Node 24 reserves more for its first thread than Node 20, so a limit leaves room for fewer others.
  // In short runs, test/cli/address-space.test.ts asks how many threads fit.
  testAtLength.each([9, 7, 5])(
    "a pool has fewer threads than asked for where not all have room: %i GB",
    (gigabytes) => {
      const result = runWithin(
        gigabytes,
        `const { createPool } = await import("urlmill/pool");
         const urls = Array.from({ length: 60_000 }, (_, row) => "HTTP://A/some/path/" + row);
         const pool = createPool({ threads: 16, engine: "js", minBatchBytes: 0 });
         result.threads = pool.threads;
         result.last = (await pool.normalizeBatch(urls)).urls.at(-1);
         await pool.close();`,
      );
      expect(result["last"]).toBe("http://a/some/path/59999");
      expect(result["threads"]).toBeGreaterThan(gigabytes === 9 ? 1 : 0);
      expect(result["threads"]).toBeLessThan(gigabytes);
    },
  );

  test("a hundred normalizers with equal options have room where two kernels have not", () => {
    const result = runWithin(
      15,
      `const normalizers = Array.from({ length: 100 }, () => createNormalizer({ engine: "auto" }));
       result.engines = [...new Set(normalizers.map(({ engine }) => engine))];`,
    );
    expect(result["engines"]).toEqual(["wasm"]);
  });
});
