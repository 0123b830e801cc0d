import {
  createNormalizer,
  isError,
  type Normalizer,
  type NormalizerOptions,
  Status,
  statusName,
} from "../../src/index.ts";
import { fromColumn, toColumn } from "./columns.ts";
import { ENGINES } from "./engines.ts";
import { canJudge, modelNormalize, parse } from "./model.ts";

const WEB = /^(?:https?|wss?|ftp):/;

/** Describes what is wrong with one input. */
export interface Finding {
  readonly promise: "same engines" | "as the model" | "idempotent" | "browser-stable" | "valid";
  readonly input: string;
  readonly base: string | undefined;
  readonly details: unknown;
}

/**
 * Runs byte strings through both engines and the model, and looks at each promise of
 * docs/spec.md 1 that can be seen in one URL. Returns at most `most` findings.
 */
export function findDisagreements(
  inputs: readonly string[],
  base: string | undefined,
  most = 10,
): Finding[] {
  const wasm = createNormalizer({ engine: "wasm" });
  const js = createNormalizer({ engine: "js" });
  const options = base === undefined ? {} : { base };
  const column = toColumn(inputs);
  const [first, second] = [
    wasm.normalizeColumn(column, options),
    js.normalizeColumn(column, options),
  ];
  const [outputs, others] = [fromColumn(first), fromColumn(second)];
  const again = wasm.normalizeColumn(toColumn(outputs));
  const modelBase = base === undefined ? undefined : wasm.normalize(base);
  const findings: Finding[] = [];
  const report = (promise: Finding["promise"], input: string, details: unknown) =>
    findings.push({ promise, input, base, details });

  for (const [row, input] of inputs.entries()) {
    if (findings.length >= most) break;
    const status = first.status[row] as number;
    const output = outputs[row] as string;
    if (status !== second.status[row] || output !== others[row]) {
      const other = statusName(second.status[row] as number);
      report("same engines", input, {
        wasm: [statusName(status), output],
        js: [other, others[row]],
      });
    }
    if (!isError(status)) {
      if (again.status[row] !== Status.UNCHANGED) {
        report("idempotent", input, { output, again: fromColumn(again)[row] });
      }
      if (!isValid(output)) report("valid", input, { output });
    }
    if (!canJudge(input)) continue;
    const expected = modelNormalize(input, modelBase);
    if ((isError(status) ? null : output) !== expected) {
      report("as the model", input, { output, status: statusName(status), expected });
    }
    if (WEB.test(output) && parse(output)?.href !== output) {
      report("browser-stable", input, { output });
    }
  }
  return findings;
}

/**
 * Runs strings through both engines. Returns findings where they differ, error offsets included.
 */
export function findStringDisagreements(
  urls: readonly string[],
  base?: string,
  settings: NormalizerOptions = {},
): unknown[] {
  const engines = ENGINES.map((engine) => createNormalizer({ ...settings, engine }));
  const options = base === undefined ? {} : { base };
  const [first, second] = engines.map((engine) => engine.normalizeBatch(urls, options));
  const findings: unknown[] = [];
  for (const [row, url] of urls.entries()) {
    const batch = [first, second].map((result) => [result?.status[row], result?.urls[row]]);
    const single = engines.map((engine) => describeOne(engine, url, base));
    const [status, normalized] = batch[0] as [number, string | null];
    const agree =
      JSON.stringify(batch[0]) === JSON.stringify(batch[1]) &&
      JSON.stringify(single[0]) === JSON.stringify(single[1]) &&
      (isError(status) ? single[0]?.code === statusName(status) : single[0]?.url === normalized);
    if (!agree) findings.push({ url, base, batch, single });
    if (findings.length >= 10) break;
  }
  return findings;
}

function describeOne(engine: Normalizer, url: string, base: string | undefined) {
  try {
    return { url: engine.normalize(url, base) };
  } catch (error) {
    const { code, offset } = error as { code: string; offset: number };
    return { code, offset };
  }
}

/**
 * Returns whether a URL is valid by RFC 3986 appendix A, with the four characters that the URL
 * Standard admits in a host.
 */
function isValid(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:\/\/(?:(?:[A-Za-z0-9\-._~!$&'()*+,:]|%[0-9A-F]{2})*@)?(?:\[[0-9a-z:.~!$&'()*+,;=_-]+\]|(?:[a-z0-9\-._~!$&'()*+,;="`{}]|%[0-9A-F]{2})*)(?::\d+)?(?=[/?#]|$))?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*)?(?:#(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*)?$/.test(
    url,
  );
}
