/**
 * Returns whether a tool that tests take was found. Without it they are skipped; in CI, where `CI` is set, a tool that is
 * missing is an error.
 */
export function isHere(tool: string, isFound: boolean): boolean {
  if (!isFound && process.env["CI"]) throw new Error(`${tool} is missing, and CI skips no test`);
  return isFound;
}
