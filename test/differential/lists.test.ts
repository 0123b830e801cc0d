import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isError } from "../../src/base/status.ts";
import { createNormalizer } from "../../src/index.ts";
import { BLOCKED } from "../../src/runs/base/marks.ts";
import { readLists } from "../../src/runs/filter/read-lists.ts";
import { UrlFilter } from "../../src/runs/filter/url-filter.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const safe = createNormalizer();

/** Holds the parts of a normalized URL that entries are compared with. */
interface Parts {
  readonly scheme: string;
  readonly host: string;
  /** The URL after its scheme, without userinfo and the dot at the end of the host. */
  readonly rest: string;
  /** What follows the authority. */
  readonly path: string;
}

/** Takes a normalized URL apart, as a plain reader of RFC 3986 does. Returns null if it has no authority. */
function partsOf(url: string): Parts | null {
  const found = /^([^:]*):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(.*)$/s.exec(url);
  if (found === null) return null;
  const [, scheme = "", host = "", tail = ""] = found;
  const bare = host.replace(/\.$/, "");
  const path = tail.replace(/^:\d+/, "");
  return { scheme, host: bare, rest: `${bare}${tail}`, path };
}

/** Returns whether a list has an entry for a URL. It compares the URL with each entry. */
function isListed(
  url: Parts,
  entries: readonly string[],
  normalize: (url: string) => string,
): boolean {
  return entries.some((entry) => {
    if (entry.startsWith("/*")) return /^[^?#]*/.exec(url.path)?.[0].endsWith(entry.slice(2));
    if (entry.includes("/")) {
      const hasScheme = /^[a-z]+:\/\//.test(entry);
      const prefix = partsOf(normalize(hasScheme ? entry : `https://${entry}`)) as Parts;
      const schemes = hasScheme ? [prefix.scheme] : ["http", "https"];
      return schemes.includes(url.scheme) && url.rest.startsWith(prefix.rest);
    }
    const text = entry.replace(/^=|^\*\./, "");
    const { host } = partsOf(normalize(`https://${text}/`)) as Parts;
    return url.host === host || (!entry.startsWith("=") && url.host.endsWith(`.${host}`));
  });
}

/** Returns entries of every kind, made of the parts of URLs. */
function randomEntries(urls: readonly Parts[], random: Random, count: number): string[] {
  const entries: string[] = [];
  while (entries.length < count) {
    const { scheme, host, rest, path } = random.pick(urls);
    const isAddress = /^\[|^[\d.]+$/.test(host);
    const labels = host.split(".");
    const ending = isAddress ? host : labels.slice(random.below(labels.length)).join(".");
    const cut = rest.slice(0, host.length + 1 + random.below(rest.length - host.length));
    const isPath = /^[^/:]*(:\d+)?\//.test(cut) && /^[\x21-\x7e]*$/.test(cut) && !cut.includes("#");
    const hasHalf = /%.?$/.test(cut);
    const kind = random.below(6);
    // Such entries are refused.
    if (host.startsWith(".") || ending.startsWith(".")) continue;
    if (ending.endsWith(".")) continue;
    if ([host, ending].some((name) => !safe.tryNormalize(`https://${name}/`).url)) continue;
    if (kind === 0) entries.push(`=${host}`);
    else if (kind === 1) entries.push(isAddress ? host : ending);
    else if (kind === 2) entries.push(isAddress ? host : `*.${ending.toUpperCase()}`);
    else if (kind === 5) {
      const ending = /^[^?#]*/.exec(path)?.[0].slice(-1 - random.below(5)) ?? "";
      if (/^[\w/.-]*\w$/.test(ending) && !ending.startsWith(".")) entries.push(`/*${ending}`);
    } else if (isPath && !hasHalf && (scheme === "http" || scheme === "https")) {
      entries.push(kind === 3 ? cut : `${scheme}://${cut}`);
    }
  }
  return entries;
}

const random = new Random(36);
const real = linesOf(readCorpus()).slice(0, atLength(300, 15_000));
const hostile = hostileUrls(36, atLength(300, 15_000));
/** Hosts around the longest that the kernel looks for. */
const LONG_HOSTS = Array.from({ length: 14 }, (_, more) => `${"a".repeat(50 + more)}.long.org`);
const MORE = [
  ...LONG_HOSTS.flatMap((host) => [`http://${host}/`, `http://b.${host}/x`]),
  "http://a.b.c.d.e.f.example.org/",
  `http://${"a".repeat(60)}.example.org/x`,
  `http://${"a".repeat(30)}.${"b".repeat(30)}.${"c".repeat(30)}.example.org/x`,
  "http://example.org./a/b",
  "http://u:p@example.org/a/b",
  "http://example.org:81/a/b",
  "file:///a/b",
  "file://example.org/a",
  "foo://example.org#/a",
  "foo://example.org",
  "ftp://www.example.org/a",
  "http://[::1]/a",
  "http://127.0.0.1/",
  "http://localhost/",
  "mailto:a@example.org",
  "urn:a",
];
const lines = [...MORE, ...real, ...hostile].filter((line) => !/[\n\r]/.test(line));
const input = Buffer.from(`${lines.join("\n")}\n`, "latin1");

const written: (Parts | null)[] = [];
{
  const { bytes, status } = safe.normalizeLines(input);
  for (const [row, url] of linesOf(bytes).entries()) {
    written.push(isError(status[row] as number) ? null : partsOf(url));
  }
}
const usable = written.filter((parts) => parts !== null && /^[a-z0-9[\]:.-]+$/.test(parts.host));

describe.each(ENGINES)("lists of URLs (%s)", (engine) => {
  const normalizer = createNormalizer({ engine });

  async function verdicts(lists: { block?: string[]; allow?: string[] }) {
    const files = Object.entries(lists).map(([name, entries]) => {
      const file = join(folder, `${engine}-${name}.txt`);
      writeFileSync(file, `# made up\n\n${entries.join("\r\n")}`);
      return [name, [file]];
    });
    const memory = await readLists(
      { block: [], allow: [], ...Object.fromEntries(files) },
      normalizer,
    );
    const filter = UrlFilter.of(memory) as UrlFilter;
    const marks: boolean[] = [];
    const rows = normalizer.normalizeWindows(input, true, {}, (window) => {
      const { output: data, outputOffsets: offsets, status } = window;
      filter.mark({ data, offsets, terminator: 1 }, status);
      for (const code of status) marks.push(code === BLOCKED);
    });
    expect(rows).toBe(input.length);
    return marks;
  }

  /** Compares what is blocked with the plain matcher, for URLs that are some lists' own and some others. */
  async function compare(lists: { block?: string[]; allow?: string[] }): Promise<void> {
    const marks = await verdicts(lists);
    const { block = [], allow } = lists;
    const normalize = (url: string): string => safe.normalize(url);
    const { status } = safe.normalizeLines(input);
    const wrong = lines.filter((_, row) => {
      const url = written[row] as Parts | null;
      if (isError(status[row] as number)) return marks[row] !== false;
      const isBlocked = url !== null && isListed(url, block, normalize);
      const isAllowed = allow === undefined || (url !== null && isListed(url, allow, normalize));
      return marks[row] !== (isBlocked || !isAllowed);
    });
    expect(wrong).toEqual([]);
  }

  test("are in memory for the list kernel if the engine is a kernel", async () => {
    const list = join(folder, "one.txt");
    writeFileSync(list, "example.org");
    const memory = await readLists({ block: [list], allow: [] }, normalizer);
    expect(memory?.hosts.memory instanceof WebAssembly.Memory).toBe(engine === "wasm");
  });

  test("block what a plain matcher finds, whatever the entries are", async () => {
    for (let round = 0; round < atLength(1, 6); round++) {
      const count = 1 + random.below(40);
      await compare({ block: randomEntries(usable as Parts[], random, count) });
    }
  });

  test("allow what a plain matcher finds, and block wins", async () => {
    for (let round = 0; round < atLength(1, 5); round++) {
      const allow = randomEntries(usable as Parts[], random, 1 + random.below(40));
      await compare({ allow });
      await compare({ allow, block: randomEntries(usable as Parts[], random, 10) });
    }
  });

  test("find hosts of any length", async () => {
    for (const odd of [0, 1]) {
      await compare({ block: LONG_HOSTS.filter((_, at) => at % 2 === odd) });
      await compare({
        block: LONG_HOSTS.filter((_, at) => at % 2 === odd).map((host) => `=${host}`),
      });
    }
  });

  test("find hosts of one label, and top-level domains", async () => {
    await compare({ block: ["localhost", "org", "=com"] });
    await compare({ block: ["uk", "example.org/a/"] });
  });
});
