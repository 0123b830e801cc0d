import { expect, test } from "vitest";
import { runProcess } from "../shared/cli.ts";

test("an engine that does not run here is a failure, not a wrong call", async () => {
  const args = ["normalize", "--engine", "wasm"];
  const env = { NODE_OPTIONS: "--jitless" };
  const { code, stderr } = await runProcess(args, "http://a/\n", env);
  expect(stderr).toContain("urlmill: WebAssembly does not run here");
  expect(code).toBe(1);
});
