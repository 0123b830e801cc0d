import { statusName } from "../../base/status.ts";
import { visible } from "../../io/text/visible.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { prepare } from "../../normalizers.ts";
import { utf8ByteString } from "../../url/bytes.ts";
import { splitParts } from "../../url/parts.ts";
import { CommandFailure } from "../base/failure.ts";
import type { Ending } from "./endings.ts";
import type { Entry } from "./entry.ts";
import { ALONE, BELOW, PREFIXES } from "./host-bits.ts";
import { type HostTableBuilder, LONGEST_HOST } from "./host-table.ts";
import { plainUrl } from "./plain-url.ts";

/** What is added to a prefix to learn what options make of the URLs that begin with it. */
const PROBE = "x";
/** What an ending of paths is added to, so that it is a URL. */
const STEM = "http://a.example/x";
/** The most characters of a line that a message shows. */
const SHOWN = 80;

export interface Place {
  readonly file: string;
  /** Its number, from 1 on. */
  readonly line: number;
  readonly text: string;
}

export interface PlacedEntry extends Place {
  readonly entry: Entry;
}

/** Holds the forms of a URL: by the grammar alone, and as the options of the run leave it. Both are byte strings. */
interface Forms {
  readonly normal: string;
  /** Null if the options refuse it. */
  readonly written: string | null;
}

/**
 * Gathers the entries of one list. An entry counts as the grammar writes it. If the options of the run write it in another
 * way, that host or URL alone counts, too: with `www: "remove"`, `www.example.org` is also `example.org`.
 */
export class ListBuilder {
  readonly #hosts: HostTableBuilder;
  readonly #factor: number;
  readonly #normalizer: Normalizer;
  readonly #grammar = prepare().normalizer;
  readonly prefixes: string[] = [];
  readonly endings: Ending[] = [];
  count = 0;

  /** `factor`: that of the list's bits in `hosts`. */
  constructor(hosts: HostTableBuilder, factor: number, normalizer: Normalizer) {
    this.#hosts = hosts;
    this.#factor = factor;
    this.#normalizer = normalizer;
  }

  /** Adds entries. Throws a CommandFailure for the first that is not a host or a URL. */
  add(entries: readonly PlacedEntry[]): void {
    this.count += entries.length;
    this.#addHosts(entries);
    this.#addPrefixes(entries);
    this.#addEndings(entries);
  }

  #addHosts(all: readonly PlacedEntry[]): void {
    const entries = all.filter(({ entry }) => "host" in entry);
    const hosts = entries.map(({ entry }) => ("host" in entry ? entry.host : ""));
    const urls = hosts.map((host) => `https://${host}/`);
    const insecure = hosts.map((host) => `http://${host}/`);
    const forms = this.#formsOf(urls, entries);
    // Options may allow only one of the schemes.
    const others = forms.some(({ written }) => written === null)
      ? this.#normalizer.normalizeBatch(insecure).urls
      : null;
    for (const [at, { normal, written }] of forms.entries()) {
      const { entry } = entries[at] as PlacedEntry;
      const host = withoutDot(normal.slice("https://".length, -1));
      if (host.length > LONGEST_HOST) throw wrongLine(entries[at] as PlacedEntry, "is too long");
      const isAlone = "isAlone" in entry && entry.isAlone;
      this.#addHost(host, isAlone ? ALONE : BELOW);
      const other = written ?? others?.[at] ?? null;
      if (other === null || other === normal) continue;
      const moved = plainUrl(other)?.host ?? host;
      if (moved !== host) this.#addHost(moved, ALONE);
    }
  }

  #addPrefixes(all: readonly PlacedEntry[]): void {
    const entries: PlacedEntry[] = [];
    const urls: string[] = [];
    for (const placed of all) {
      if (!("prefix" in placed.entry)) continue;
      const { prefix, hasScheme } = placed.entry;
      for (const url of hasScheme ? [prefix] : [`http://${prefix}`, `https://${prefix}`]) {
        entries.push(placed);
        urls.push(url);
      }
    }
    const forms = this.#formsOf(urls, entries);
    const longer = this.#written(forms.map(({ normal }) => `${normal}${PROBE}`));
    for (const [at, { normal, written }] of forms.entries()) {
      if (plainUrl(normal) === null) throw wrongLine(entries[at] as PlacedEntry, "has no host");
      this.#addPrefix(normal, "");
      if (written !== null && written !== normal) this.#addPrefix(written, "\n");
      const moved = movedPrefix(normal, longer[at] ?? null);
      if (moved !== null) this.#addPrefix(moved, "");
    }
  }

  #addEndings(all: readonly PlacedEntry[]): void {
    const entries = all.filter(({ entry }) => "ending" in entry);
    const urls = entries.map(({ entry }) => ("ending" in entry ? STEM + entry.ending : ""));
    for (const [at, { normal, written }] of this.#formsOf(urls, entries).entries()) {
      if (!normal.startsWith(STEM) || normal === STEM) {
        throw wrongLine(entries[at] as PlacedEntry, "is not an ending of normalized paths");
      }
      const ending = normal.slice(STEM.length);
      const moved = movedEnding(ending, written);
      for (const text of moved === null ? [ending] : [ending, moved]) {
        this.endings.push({ text, bits: this.#factor * BELOW });
      }
    }
  }

  /** Returns the forms of URLs. Throws for the first that is not one. */
  #formsOf(urls: readonly string[], entries: readonly PlacedEntry[]): Forms[] {
    const { urls: normal, status } = this.#grammar.normalizeBatch(urls);
    const written = this.#written(urls);
    return normal.map((url, at) => {
      if (url !== null) return { normal: utf8ByteString(url), written: written[at] ?? null };
      const code = statusName(status[at] as number);
      throw wrongLine(entries[at] as PlacedEntry, `is not a host or a URL (${code})`);
    });
  }

  /** Returns URLs as the options of the run leave them, as byte strings. */
  #written(urls: readonly string[]): (string | null)[] {
    const { urls: written } = this.#normalizer.normalizeBatch(urls);
    return written.map((url) => url && utf8ByteString(url));
  }

  #addHost(host: string, bits: number): void {
    this.#hosts.add(host, this.#factor * bits);
  }

  /** Adds a prefix, and its host. `end`: an LF if only this URL is meant. */
  #addPrefix(normal: string, end: string): void {
    const plain = plainUrl(normal);
    if (plain === null) return;
    this.#addHost(plain.host, PREFIXES);
    this.prefixes.push(plain.url + end);
  }
}

/**
 * Returns the prefix that options make of one, given what they make of a URL that begins with it. Returns null if that
 * does not tell: a prefix is only moved to another scheme, host or port, or to lower case.
 */
function movedPrefix(prefix: string, longer: string | null): string | null {
  if (longer === null || !longer.endsWith(PROBE)) return null;
  const moved = longer.slice(0, -PROBE.length);
  if (moved === prefix) return null;
  return restOf(moved) === restOf(prefix) ? moved : null;
}

/**
 * Returns the ending that options make of one, given what they make of a URL with it. Returns null if that does not tell:
 * an ending is only moved to lower case, or to have or not have a slash at its end.
 */
function movedEnding(ending: string, written: string | null): string | null {
  if (written === null) return null;
  const path = splitParts(written).path;
  const stem = splitParts(STEM).path;
  const moved = path.slice(stem.length);
  const isMoved = path.startsWith(stem) && moved !== "" && moved !== ending;
  return isMoved && withoutSlash(moved) === withoutSlash(ending.toLowerCase()) ? moved : null;
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Returns what follows the authority of a URL, in lower case. */
function restOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  return slash < 0 ? "" : url.slice(slash).toLowerCase();
}

function withoutDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

export function wrongLine({ file, line, text }: Place, what: string): CommandFailure {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
  return new CommandFailure(`${file}, line ${line}: "${visible(shown)}" ${what}`, 2);
}
