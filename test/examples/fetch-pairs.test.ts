import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** A forum where `sid` does not affect the page, and `page` does. */
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://a");
  if (pathname === "/broken") request.socket.destroy();
  const page = searchParams.get("page") ?? "1";
  response.setHeader("content-type", "text/html");
  response.end(`<p>Topic ${searchParams.get("id")}, page ${page}</p>`);
});

const folder = tempFolder();

beforeAll(async () => {
  server.listen(0, "localhost");
  await once(server, "listening");
});

afterAll(() => {
  server.close();
});

const at = (name: string) => join(folder, name);

/** Runs `urlmill learn`, and returns its standard output. */
async function learn(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(["learn", ...args]);
  expect(code, stderr).toBe(0);
  return stdout;
}

test("an access log leads to rules: plan, fetch, verdict", async () => {
  const urls = Array.from({ length: 40 }, (_, id) =>
    ["", `&sid=${id}`, "&page=2"].map((more) => `/t?id=${id}${more}`),
  ).flat();
  // Topics have sizes of their own, which say nothing of their pages.
  const log = urls.map(
    (url, at) =>
      `192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] "GET ${url} HTTP/1.1" 200 ${99 + Math.floor(at / 3)}`,
  );
  writeFileSync(at("access.log"), `${log.join("\n")}\n`);
  const origin = ["--base", `http://localhost:${(server.address() as AddressInfo).port}`];
  const [list, proposals, pairs] = [at("access.log"), at("proposals.tsv"), at("pairs.tsv")];
  await learn(...origin, list, "-o", proposals);
  for (const name of ["page", "sid"])
    expect(readFileSync(proposals, "utf8")).toMatch(new RegExp(`drop ${name}\tsize n=\\d+`));
  await learn("plan", ...origin, "--rules", proposals, list, "-o", pairs);
  const program = ["examples/fetch-pairs.mjs", pairs];
  const { stdout: fetched } = await promisify(execFile)(process.execPath, program);
  writeFileSync(at("fetched.tsv"), fetched);
  const rules = await learn("verdict", at("fetched.tsv"));
  expect(rules).toMatch(/\tdrop sid\tfetched n=\d+ ok=\d+/);
  expect(rules).not.toContain("page");
});

test("a page that does not come is unknown, and so is one of a site that does not answer", async () => {
  const { port } = server.address() as AddressInfo;
  const pair = `1\t1\thttp://localhost:${port}/broken\thttp://localhost:1/`;
  writeFileSync(at("broken.tsv"), `${pair}\n`);
  const program = ["examples/fetch-pairs.mjs", at("broken.tsv")];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  expect(stdout).toBe(`${pair}\tunknown\tunknown\n`);
});
