// A worker at the edge: the kernel is a module of the worker, the list is the body of a request.
import { createNormalizer, loadKernel } from "urlmill";
import { createNormalizer as createJs } from "urlmill/js";
import kernel from "urlmill/kernel.wasm";
import { digestOf } from "./digest.mjs";

// At the level of the module, where compiling is refused.
const beforeLoading = createNormalizer();

export default {
  async fetch(request) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const given = (options) => createNormalizer({ ...options, module: kernel });
    const results = [await digestOf(given, "wasm", bytes)];
    await loadKernel(kernel);
    results.push(await digestOf(createNormalizer, "auto", bytes));
    results.push(await digestOf(createJs, undefined, bytes));
    return Response.json({ reason: beforeLoading.engineReason, results });
  },
};
