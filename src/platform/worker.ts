// For the worker of a pool, which is one file. It gets the plan and the compiled kernel from the thread that
// starts it.
import { JsEngine } from "../engine/js/engine.ts";
import { writeBase } from "../engine/js/row.ts";
import { decodePlan } from "../plan/decode/decode.ts";
import type { JavaScript, Platform } from "./platform.ts";

/**
 * The functions that a plan and its calls need. Options, the text of rules and `explain` stay on the thread
 * of the pool.
 */
const code: Pick<JavaScript, "JsEngine" | "decodePlan" | "writeBase"> = {
  JsEngine,
  decodePlan,
  writeBase,
};

/** Returns the part of javascript.ts that a worker uses. */
export const javascript = (): JavaScript => code as JavaScript;

/** Returns null: the kernel is compiled already. */
export const readKernel: Platform["readKernel"] = () => null;

/** Returns null: there is nothing to fetch. */
export const kernelUrl: Platform["kernelUrl"] = () => null;
