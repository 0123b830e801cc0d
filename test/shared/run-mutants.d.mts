export function runMutants(
  first: number,
  count: number,
): Promise<{ readonly accepted: number; readonly faults: readonly string[] }>;
