import { loadPlan } from "../../../src/engine/js/load-plan.ts";
import { unlessRefused } from "../compare.ts";
import { counted } from "../edges.ts";
import { CountedKernel } from "../kernel.ts";

export { PLACES, reached } from "../edges.ts";

const LINES = Buffer.from(
  "HTTP://A.b:80/x/../y?b=2&a=1#c\nhttp://www.a.b/p/index.html;jsessionid=1?utm_source=x&sid=1\nftp://c.d//\nnothing\n",
);

/** A plan from a stranger: each call ends, and both engines take it or neither does. */
export const fuzz = counted((data: Buffer): void => {
  const kernel = new CountedKernel();
  const isTaken = kernel.load(data, LINES.length);
  const isDecoded = unlessRefused(() => loadPlan(data)) !== null;
  if (isTaken !== isDecoded) throw new Error(`the kernel says ${isTaken}, JavaScript ${isDecoded}`);
  if (isTaken) kernel.lines(LINES);
});
