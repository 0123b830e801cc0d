import { keyedRows } from "../../fingerprints/fingerprint-rows.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { Output } from "../../io/output.ts";
import { escapeField } from "../../io/text/line-escape.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { prepare } from "../../normalizers.ts";
import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import { LARGEST_MAX_LENGTH } from "../../options/catalog.generated.ts";
import { resolveOptions } from "../../options/options.ts";
import { newIdentity, seenRequest } from "../../seen/contract/identity.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { LF } from "../../url/chars.ts";

/** Lists the lines of an output that rules would have merged. It merges none of them. */
export class Shadow {
  readonly #normalizer: Normalizer;
  /** Normalizes without rules. */
  readonly #plain: Normalizer;
  readonly #base: string | undefined;
  readonly #key: Uint8Array;
  readonly #set: FingerprintSet;
  readonly #output: Output;
  /** The columns of each rule, which is written once. */
  readonly #ruleColumns = new Map<Rule, string>();
  /** The line in progress. If it is too long for any URL, it is only counted. */
  #rest: Uint8Array[] = [];
  #restLength = 0;
  /** The last write to the list. */
  #listed: Promise<void> = Promise.resolve();
  lines = 0;
  merged = 0;

  private constructor(
    normalizer: Normalizer,
    plain: Normalizer,
    options: NormalizerOptions,
    base: string | undefined,
    output: Output,
  ) {
    const request = seenRequest(normalizer, resolveOptions(options), {});
    const identity = newIdentity(request);
    this.#normalizer = normalizer;
    this.#plain = plain;
    this.#base = base;
    this.#key = identity.key;
    this.#set = new FingerprintSet({ ...request, bits: identity.bits });
    this.#output = output;
  }

  /**
   * `options`: the options with the rules; `plain`: the normalizer without them. An entry of the list has columns with a TAB
   * between. They are the key, the line as `escapeField` writes it, and the key without rules. Then come the rules that changed
   * the URL, each with the three columns of a file of rules.
   */
  static async open(
    options: NormalizerOptions,
    plain: Normalizer,
    base: string | undefined,
    file: string,
  ): Promise<Shadow> {
    const { normalizer } = prepare(options);
    return new Shadow(normalizer, plain, options, base, await Output.toFile(file));
  }

  /**
   * Takes the next bytes of the output, whose memory may change after the call. The promise is fulfilled when the list
   * has room for more, so a slow list slows the run.
   */
  take(bytes: Uint8Array): Promise<void> {
    const newline = bytes.indexOf(LF);
    if (newline < 0) {
      this.#keep(bytes);
    } else if (this.#restLength > 0) {
      this.#keep(bytes.subarray(0, newline + 1));
      this.#endRest();
      return this.take(bytes.subarray(newline + 1));
    } else {
      this.#keep(bytes.subarray(this.#list(bytes, false)));
    }
    return this.#listed;
  }

  /** Ends the list after a whole line, as `Output.stop` does. */
  stop(reason: Error): void {
    this.#output.stop(reason);
  }

  /** Returns whether a stop may have left a line of the list without its end. */
  get isCut(): boolean {
    return this.#output.isCut;
  }

  /** Waits until everything is listed, and closes the list. */
  async finish(): Promise<void> {
    this.#endRest();
    await this.#output.finish();
  }

  /** Closes the list of a run that may have failed. */
  close(): Promise<void> {
    return this.#output.close();
  }

  #keep(bytes: Uint8Array): void {
    this.#restLength += bytes.length;
    if (this.#restLength <= LARGEST_MAX_LENGTH) this.#rest.push(new Uint8Array(bytes));
    else this.#rest = [];
  }

  #endRest(): void {
    if (this.#restLength > LARGEST_MAX_LENGTH) this.lines++;
    else this.#list(Buffer.concat(this.#rest), true);
    this.#rest = [];
    this.#restLength = 0;
  }

  #list(bytes: Uint8Array, final: boolean): number {
    const options = { base: this.#base, key: this.#key };
    return this.#normalizer.normalizeWindows(bytes, final, options, (window) => {
      const { rows, status, fingerprints, input, inputOffsets, output, outputOffsets } = window;
      const keyed = keyedRows(fingerprints.slice(), status, 16);
      const answers = keyed.spread(this.#set.add(keyed.fingerprints));
      const keys: string[] = [];
      const lines: Uint8Array[] = [];
      for (let row = 0; row < rows; row++) {
        if (answers[row] !== 0) continue;
        const key = output.subarray(outputOffsets[row], (outputOffsets[row + 1] as number) - 1);
        keys.push(byteString(key));
        lines.push(input.subarray(inputOffsets[row], inputOffsets[row + 1]));
      }
      this.lines += rows;
      this.merged += lines.length;
      if (lines.length === 0) return;
      this.#listed = this.#output.write(Buffer.from(this.#entries(keys, lines), "latin1"));
    });
  }

  /** Returns the entries of merged lines, which have these keys. */
  #entries(keys: readonly string[], lines: readonly Uint8Array[]): string {
    const options = this.#base === undefined ? {} : { base: this.#base };
    const { bytes } = this.#plain.normalizeLines(Buffer.concat(lines), options);
    const withoutRules = byteString(bytes).split("\n");
    const entries = keys.map((key, at) => {
      const line = escapeField(byteString(lines[at] as Uint8Array).replace(/\r?\n$/, ""));
      const before = withoutRules[at] as string;
      const rules = this.#normalizer.appliedRules(before).map((rule) => this.#columnsOf(rule));
      return `${[key, line, before, ...rules].join("\t")}\n`;
    });
    return entries.join("");
  }

  #columnsOf(rule: Rule): string {
    const known = this.#ruleColumns.get(rule);
    if (known !== undefined) return known;
    const columns = writeRule({ ...rule, evidence: null });
    this.#ruleColumns.set(rule, columns);
    return columns;
  }
}

function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
