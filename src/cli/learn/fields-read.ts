import { listNames } from "../../formats/excerpt.ts";
import { OTHER_FIELDS } from "../../learn/records/named-record.ts";

/** Matches the name of a field that may hold a fingerprint of pages. */
const MAY_BE_FINGERPRINT = /finger|hash|digest|checksum|cluster|md5|sha\d/i;

/** Says which fields of lists were read, by the names that their first records have. */
export class FieldsRead {
  /** The columns or members that fingerprints were taken from. */
  readonly fpNames = new Set<string>();
  readonly #present = new Set<string>();
  readonly #urls = new Set<string>();

  /** Takes the names of a list's fields. `url`: the name or the path of the field with the URL. */
  add(names: readonly string[], url: string): void {
    for (const name of names) this.#present.add(name);
    this.#urls.add(url).add(url.split(".")[0] as string);
  }

  /** The fields that were read besides those of URLs and fingerprints. */
  get others(): string[] {
    return OTHER_FIELDS.filter((name) => this.#present.has(name) && !this.fpNames.has(name));
  }

  /** Returns a sentence on the fields that were not read. Returns null if a fingerprint was read, and no other field may hold one. */
  unread(): string | null {
    const isRead = new Set([...this.#urls, ...this.fpNames, ...OTHER_FIELDS]);
    const unread = [...this.#present].filter((name) => !isRead.has(name));
    const likely = unread.find((name) => MAY_BE_FINGERPRINT.test(name));
    if (unread.length === 0 || (likely === undefined && this.fpNames.size > 0)) return null;
    const example = likely ?? "NAME";
    return `fields that were not read: ${listNames(unread)}; --fp KIND:${example} takes one as the fingerprint of pages`;
  }
}
