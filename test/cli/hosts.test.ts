import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseHosts } from "../../src/cli/hosts/hosts-file.ts";
import { resolveNames } from "../../src/cli/hosts/resolve.ts";
import { runCli } from "../shared/cli.ts";
import { startDnsServer } from "../shared/dns-server.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const V6 = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
/** What DNS lets pass and no URL has as its host, or has as another. */
const BAD_NAMES = [
  "192.0.2.77",
  "127.1",
  "a.0x7f",
  "a/b.example",
  "*.example",
  "-a.example",
  "a-.example",
  "a b.example",
  "a\nb.example",
  "a#b.example",
  "a@b.example",
  "a%41.example",
  "\x1b]0;x\x07.example",
  "b\u00fccher.example",
  "[2001:db8::1]",
];
let dns: Awaited<ReturnType<typeof startDnsServer>>;
const folder = tempFolder();

beforeAll(async () => {
  dns = await startDnsServer({
    "PTR 1.2.0.192.in-addr.arpa": ["www.example.com"],
    "A www.example.com": ["192.0.2.9", "192.0.2.1"],
    "PTR 2.2.0.192.in-addr.arpa": ["liar.example.com"],
    "A liar.example.com": ["192.0.2.99"],
    "PTR 3.2.0.192.in-addr.arpa": ["liar.example.com", "www.example.org"],
    "A www.example.org": ["192.0.2.3"],
    "PTR 4.2.0.192.in-addr.arpa": "silence",
    [`PTR ${V6}`]: ["six.example.com"],
    "AAAA six.example.com": ["2001:0db8:0:0:0:0:0:1"],
    ...Object.fromEntries(
      BAD_NAMES.flatMap((name, at) => [
        [`PTR ${100 + at}.2.0.192.in-addr.arpa`, [name]],
        [`A ${name}`, [`192.0.2.${100 + at}`]],
      ]),
    ),
    "PTR 90.2.0.192.in-addr.arpa": ["192.0.2.77", "a b", "silent.example.com", "www.example.net"],
    "A 192.0.2.77": ["192.0.2.90"],
    "A silent.example.com": "silence",
    "A www.example.net": ["192.0.2.90"],
  });
});

afterAll(() => dns.close());

const options = (more: object = {}) => ({
  servers: [dns.server],
  concurrency: 4,
  timeout: 30_000,
  ...more,
});

test("gives an address the name that leads back to it, and no other", async () => {
  const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.5", "2001:db8::1"];
  expect(await resolveNames(addresses, options())).toEqual([
    { address: "192.0.2.1", name: "www.example.com", reason: null },
    { address: "192.0.2.2", name: null, reason: "UNCONFIRMED" },
    { address: "192.0.2.3", name: "www.example.org", reason: null },
    { address: "192.0.2.5", name: null, reason: "ENOTFOUND" },
    { address: "2001:db8::1", name: "six.example.com", reason: null },
  ]);
});

test("asks for each address and each name once", async () => {
  const before = dns.queries.length;
  const addresses = ["192.0.2.2", "192.0.2.3", "192.0.2.2"];
  expect(await resolveNames(addresses, options({ concurrency: 1 }))).toHaveLength(2);
  expect(dns.queries.slice(before).toSorted()).toEqual([
    "A liar.example.com",
    "A www.example.org",
    "PTR 2.2.0.192.in-addr.arpa",
    "PTR 3.2.0.192.in-addr.arpa",
  ]);
});

test("gives up on a server that is silent", async () => {
  expect(await resolveNames(["192.0.2.4"], options({ timeout: 100 }))).toEqual([
    { address: "192.0.2.4", name: null, reason: "ETIMEOUT" },
  ]);
});

test("urlmill hosts writes a file that normalize --hosts-file reads", async () => {
  const urls =
    "http://192.0.2.1/a\nhttp://0xc0.0.2.2/\nhttp://example.com/\nhttp://[2001:db8::1]:81/\nhttps://192.0.2.1/b\n";
  const found = await runCli(["hosts", "--server", dns.server, "--timeout", "30000"], urls);
  expect(found).toEqual({
    code: 0,
    stdout: "192.0.2.1 www.example.com\n# 192.0.2.2 UNCONFIRMED\n2001:db8::1 six.example.com\n",
    stderr: "urlmill: 3 addresses, 2 with a confirmed name\n",
  });
  const file = join(folder, "hosts");
  writeFileSync(file, found.stdout);
  const normalized = await runCli(["normalize", "--hosts-file", file], urls);
  expect(normalized.stdout).toBe(
    "http://www.example.com/a\nhttp://192.0.2.2/\nhttp://example.com/\nhttp://six.example.com:81/\nhttps://www.example.com/b\n",
  );
});

test("a name that cannot be a host is left out, and said, and does not stop the others", async () => {
  const urls = [1, 90, ...BAD_NAMES.map((_, at) => 100 + at)].map(
    (part) => `http://192.0.2.${part}/`,
  );
  const lines = `${urls.join("\n")}\n`;
  const found = await runCli(["hosts", "--server", dns.server, "--timeout", "30000"], lines);
  const left = BAD_NAMES.map((_, at) => `# 192.0.2.${100 + at} BAD_NAME\n`).join("");
  expect(found).toEqual({
    code: 0,
    stdout: `192.0.2.1 www.example.com\n192.0.2.90 www.example.net\n${left}`,
    stderr:
      "urlmill: 17 addresses, 2 with a confirmed name, 15 with a name that cannot be a host, left out\n",
  });
  const file = join(folder, "hosts-without-bad");
  writeFileSync(file, found.stdout);
  const normalized = await runCli(["normalize", "--hosts-file", file], lines);
  expect(normalized.stdout.split("\n").slice(0, 3)).toEqual([
    "http://www.example.com/",
    "http://www.example.net/",
    "http://192.0.2.100/",
  ]);
});

test("a hosts file with a line that cannot be applied is refused with the line's number", async () => {
  const file = join(folder, "bad-hosts");
  for (const [line, what] of [
    ["192.0.2.2 a/b", '"a/b" is not a host name'],
    ["192.0.2.2 192.0.2.1", '"192.0.2.1" is an address where a name belongs'],
    ["192.0.2.2 0xc0.1", '"0xc0.1" is an address where a name belongs'],
    ["192.0.2.2 ::1", '"::1" is an address where a name belongs'],
    ["192.0.2.256 a.b", '"192.0.2.256" is not an IP address or a host'],
  ] as const) {
    writeFileSync(file, `# a comment\n192.0.2.1 a.b\n\n${line} # x\n192.0.2.3 c.d\n`);
    expect(await runCli(["normalize", "--hosts-file", file], "http://a/\n")).toEqual({
      code: 2,
      stdout: "",
      stderr: `urlmill: ${file}, line 4: ${what}; correct or remove the line\n`,
    });
  }
});

test("refuses a wrong number", async () => {
  expect(await runCli(["hosts", "--timeout", "0"])).toMatchObject({ code: 2, stdout: "" });
});

test("reads past a host name that is newer than the Unicode of Node", async () => {
  // U+1C8A came with Unicode 16; `xn--a` is not a label that any version decodes.
  const urls = "http://\u1c8aa.example/\nhttp://xn--a/\nhttp://192.0.2.1/\n";
  const found = await runCli(
    ["hosts", "--server", dns.server, "--timeout", "30000"],
    Buffer.from(urls),
  );
  expect(found).toMatchObject({ code: 0, stdout: "192.0.2.1 www.example.com\n" });
});

test.each([
  ["--server", "nowhere", "--server is an IP address"],
  ["--server", "192.0.2.1:65536", "--server is an IP address"],
  ["--server", "192.0.2.1:0", "--server is an IP address"],
  ["--server", "[2001:db8::1]:x", "--server is an IP address"],
  ["--timeout", "2147483648", "--timeout is a whole number from 1 to 2147483647"],
])("refuses %s %s as a wrong call", async (flag, value, message) => {
  const refused = await runCli(["hosts", flag, value], "http://192.0.2.1/\n");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`urlmill: ${message}`);
});

test("takes DNS servers by address, by address and port, and in brackets", async () => {
  for (const server of ["::1", "[::1]", "[::1]:53", "127.0.0.1", "127.0.0.1:53"]) {
    expect(await runCli(["hosts", "--server", server])).toMatchObject({ code: 0, stdout: "" });
  }
});

test("a hosts file: first name of the first line, comments, blank lines, zones", () => {
  const text =
    "# x\n\n 1.2.3.4\ta b # c\n1.2.3.4 d\r\n0x1020304 f\n::1 e\n0:0::1 g\nfe80::1%lo0 localhost\n5.6.7.8\n__proto__ h\n";
  expect(Object.entries(parseHosts(text, "x"))).toEqual([
    ["1.2.3.4", "a"],
    ["::1", "e"],
    ["__proto__", "h"],
  ]);
});
