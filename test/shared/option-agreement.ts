import { createNormalizer, type NormalizerOptions, UrlmillError } from "../../src/index.ts";
import { fromColumn, toColumn } from "./columns.ts";

/**
 * Returns findings under one option set: rows for which engines differ, or whose result is not a
 * fixpoint.
 */
export function findOptionFindings(
  options: NormalizerOptions,
  inputs: readonly string[],
  base?: string,
): unknown[] | "refused" {
  const engines = [];
  try {
    for (const engine of ["wasm", "js"] as const)
      engines.push(createNormalizer({ ...options, engine }));
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "BAD_OPTION") return "refused";
    throw error;
  }
  const [wasm, js] = engines.map((engine) =>
    engine.normalizeColumn(toColumn(inputs), base === undefined ? {} : { base }),
  );
  if (wasm === undefined || js === undefined) throw new Error("two engines were made");
  const outputs = fromColumn(wasm);
  const others = fromColumn(js);
  const again = fromColumn(engines[0]?.normalizeColumn(toColumn(outputs)) ?? wasm);
  const findings: unknown[] = [];
  for (const [row, input] of inputs.entries()) {
    if (wasm.status[row] !== js.status[row] || outputs[row] !== others[row]) {
      findings.push({
        options,
        input,
        wasm: [wasm.status[row], outputs[row]],
        js: [js.status[row], others[row]],
      });
    }
    if ((wasm.status[row] as number) < 2 && again[row] !== outputs[row]) {
      findings.push({ options, input, output: outputs[row], again: again[row] });
    }
    if (findings.length >= 3) break;
  }
  return findings;
}
