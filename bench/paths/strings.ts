import { createNormalizer } from "urlmill";
import { fresh } from "../fresh.ts";
import { each, few, type MakePath, whole } from "../path.ts";
import { asked } from "../platform.ts";

const engines = ["wasm", "js"] as const;

export const strings: MakePath = ({ urls }, peers) => ({
  name: "strings, safe",
  contestants: [
    ...engines.map((engine) => {
      const normalizer = createNormalizer({ engine });
      return whole(`urlmill ${engine}`, urls, () => normalizer.normalizeBatch(urls));
    }),
    each("new URL().href", urls, (url) => new URL(url).href),
    ...peers.map(({ name, normalize }) => each(name, few(urls), normalize)),
  ],
  reference: "new URL().href",
  target: asked(2.7, 4.5, 2.3),
  note: "getting strings into the kernel costs more than normalizing them",
});

export const single: MakePath = ({ urls }) => ({
  name: "one URL at a time",
  contestants: [
    ...engines.map((engine) => {
      const normalizer = createNormalizer({ engine });
      return each(`urlmill ${engine}`, urls, (url) => normalizer.normalize(url));
    }),
    each("new URL().href", urls, (url) => new URL(url).href),
  ],
  reference: "new URL().href",
  target: 1,
  note: "a call into WebAssembly for each URL",
});

/** Returns the corpus many times over, with different URLs each time. */
function million(urls: readonly string[]): string[] {
  const length = 1_000_000;
  return fresh(Array.from({ length }, (_, row) => `${urls[row % urls.length]}&v=${row}`));
}

export const fingerprints: MakePath = ({ urls }) => {
  const distinct = million(urls);
  let batch: string[] = [];
  const [wasm, js] = engines.map((engine) => createNormalizer({ engine }));
  return {
    name: "fingerprints of a million strings",
    contestants: [
      whole("urlmill wasm", distinct, () => wasm?.fingerprintBatch(distinct)),
      whole("urlmill js", urls, () => js?.fingerprintBatch(urls)),
      {
        ...whole("Set.add of fresh strings", distinct, () => new Set(batch)),
        before: () => {
          batch = fresh(distinct);
        },
      },
    ],
    reference: "Set.add of fresh strings",
    target: 2.2,
    note: "normalized and hashed, next to a Set that does neither; JavaScript has no 64-bit integers",
  };
};
