import { crawleeSpelling } from "../../crawlee/spelling.ts";
import { toSurt } from "../../normalizer/surt.ts";
import { domainToUnicode } from "../../url/idna/domain-to-ascii.ts";
import { joinParts, splitParts } from "../../url/parts.ts";
import type { Form } from "./job.ts";

/** Says how a normalized URL is written. */
export interface KeyForm {
  /** Returns the text of a normalized URL, both as byte strings. */
  readonly write: (url: string) => string;
  /** Says whether URLs with one text are one, so that fingerprints are made of the texts. */
  readonly isKey: boolean;
}

const FORMS: Readonly<Record<Form, KeyForm | null>> = {
  url: null,
  surt: { write: toSurt, isKey: false },
  unicode: { write: withUnicodeHost, isKey: false },
  crawlee: { write: crawleeSpelling, isKey: true },
};

/** Returns the form of a run's keys. Returns null if they are normalized URLs. */
export function keyForm(form: Form): KeyForm | null {
  return FORMS[form];
}

function withUnicodeHost(url: string): string {
  const parts = splitParts(url);
  const readable = joinParts({ ...parts, host: domainToUnicode(parts.host) });
  return Buffer.from(readable).toString("latin1");
}
