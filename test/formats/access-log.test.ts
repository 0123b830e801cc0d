import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { describeEngines } from "../shared/engines.ts";

const AT = "[10/Oct/2000:13:55:36 -0700]";
const hit = (request: string, rest = "200 5", client = "1.2.3.4 - -") =>
  `${client} ${AT} "${request}" ${rest}`;

const LOG = [
  hit("GET /a?b=1&utm_source=x HTTP/1.0"),
  hit("HEAD /a?b=1 HTTP/1.1", '304 - "http://ref/" "UA \\"q\\""'),
  hit("GET //c/%7ed\\x22e HTTP/1.1"),
  hit("GET http://C.d/%7e HTTP/1.1"),
  hit("GET /v HTTP/1.1", "200 5", "v.example:443 1.2.3.4 - -"),
  hit("GET /w HTTP/1.1", "200 5", "w.example 1.2.3.4 - -"),
];
/** Lines without the URL of a page. */
const OTHERS = [
  hit("POST /a?b=1 HTTP/1.1"),
  hit("OPTIONS * HTTP/1.1"),
  hit("GET favicon.ico HTTP/1.1"),
  "no line of a log",
];
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describeEngines("access logs", (create) => {
  const { engine } = create();
  const run = async (command: string, ...args: string[]) => {
    const flags = ["--preset", "crawl", "--engine", engine, "--format", "access-log", ...args];
    return runCli([command, ...flags], text([...LOG, ...OTHERS, ...OTHERS]));
  };

  test("keep whole lines, and those without a page once", async () => {
    const { code, stdout } = await run("dedupe", "--base", "https://ex.org/any/path?x");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: text([LOG[0] as string, ...LOG.slice(2), ...OTHERS]),
    });
  });

  test("have normalized URLs in the place of the request's", async () => {
    const { stdout } = await run("normalize", "--base", "https://ex.org", "--emit", "normalized");
    expect(stdout).toBe(
      text([
        (LOG[0] as string).replace("/a?b=1&utm_source=x", "https://ex.org/a?b=1"),
        (LOG[1] as string).replace("/a?b=1", "https://ex.org/a?b=1"),
        (LOG[2] as string).replace("//c/%7ed\\x22e", "https://ex.org//c/~d%22e"),
        (LOG[3] as string).replace("http://C.d/%7e", "http://c.d/~"),
        (LOG[4] as string).replace("/v", "https://v.example/v"),
        (LOG[5] as string).replace("/w", "https://w.example/w"),
        ...OTHERS,
        ...OTHERS,
      ]),
    );
  });

  test("without a site have URLs only where lines name a host, and say how to name it", async () => {
    const { stdout, stderr } = await run("normalize", "--emit", "both");
    const added = stdout
      .split("\n")
      .slice(0, LOG.length)
      .map((line) => line.split(" ").at(-1));
    expect(added).toEqual([
      "-",
      "-",
      "-",
      "http://c.d/~",
      "https://v.example/v",
      "http://w.example/w",
    ]);
    expect(stderr).toContain("--base URL names the site of an access log");
  });
});

test("an access log is read as one only where --format says so, and needs a web site", async () => {
  const { stdout, stderr } = await runCli(["dedupe"], text([...LOG.slice(0, 2), LOG[0] as string]));
  expect(stdout).toBe(text(LOG.slice(0, 2)));
  expect(stderr).toContain("3 lines are not URLs");
  const refused = await runCli(
    ["dedupe", "--format", "access-log", "--base", "ftp://a"],
    text(LOG),
  );
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain('not like "http://example.org"');
});
