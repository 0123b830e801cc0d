// Hands the digests of a browser to who drives the page.
import { createNormalizer, loadKernel } from "urlmill";
import { createNormalizer as createJs } from "urlmill/js";
import { digestOf } from "./digest.mjs";

globalThis.digests = async () => {
  const bytes = new Uint8Array(await (await fetch("/urls.txt")).arrayBuffer());
  const beforeLoading = createNormalizer();
  if (beforeLoading.engine !== "js") throw new Error("the kernel came without being loaded");
  await loadKernel();
  return [
    await digestOf(createNormalizer, "auto", bytes),
    await digestOf(createNormalizer, "wasm", bytes),
    await digestOf(createJs, undefined, bytes),
  ];
};
