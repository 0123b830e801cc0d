import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseHosts } from "../../src/cli/hosts-file.ts";
import { resolveNames } from "../../src/hosts/resolve.ts";
import { runCli } from "../shared/cli.ts";
import { startDnsServer } from "../shared/dns-server.ts";

const V6 = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
let dns: Awaited<ReturnType<typeof startDnsServer>>;
const folder = mkdtempSync(join(tmpdir(), "urlmill-hosts-"));

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
  });
});

afterAll(() => {
  dns.close();
  rmSync(folder, { recursive: true });
});

const options = (more: object = {}) => ({
  servers: [dns.server],
  concurrency: 4,
  timeout: 300,
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

test("urlmill hosts writes a file that normalize --hosts reads", async () => {
  const urls =
    "http://192.0.2.1/a\nhttp://0xc0.0.2.2/\nhttp://example.com/\nhttp://[2001:db8::1]:81/\nhttps://192.0.2.1/b\n";
  const found = await runCli(["hosts", "--server", dns.server, "--timeout", "500"], urls);
  expect(found).toEqual({
    code: 0,
    stdout: "192.0.2.1 www.example.com\n# 192.0.2.2 UNCONFIRMED\n2001:db8::1 six.example.com\n",
    stderr: "urlmill: 3 addresses, 2 with a confirmed name\n",
  });
  const file = join(folder, "hosts");
  writeFileSync(file, found.stdout);
  const normalized = await runCli(["normalize", "--hosts", file], urls);
  expect(normalized.stdout).toBe(
    "http://www.example.com/a\nhttp://192.0.2.2/\nhttp://example.com/\nhttp://six.example.com:81/\nhttps://www.example.com/b\n",
  );
});

test("refuses a wrong number", async () => {
  expect(await runCli(["hosts", "--timeout", "0"])).toMatchObject({ code: 2, stdout: "" });
});

test("a hosts file: first name of the first line, comments, blank lines", () => {
  expect(parseHosts("# x\n\n 1.2.3.4\ta b # c\n1.2.3.4 d\r\n::1 e\n5.6.7.8\n")).toEqual({
    "1.2.3.4": "a",
    "::1": "e",
  });
});
