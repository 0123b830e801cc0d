#!/bin/bash -eu
# Builds the targets into $OUT, as OSS-Fuzz calls it. $SRC/urlmill is a checkout.
cd "$SRC/urlmill"
npm ci
npm run build
for target in test/fuzz/targets/*.ts; do
  name=$(basename "$target" .ts)
  # Builds the counting kernel, the target and its seeds.
  node test/fuzz/main.mjs "$name" --build
  (cd "build/fuzz/corpus/$name" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
done
mkdir -p "$OUT/urlmill/build"
cp -r node_modules package.json "$OUT/urlmill/"
cp -r build/fuzz "$OUT/urlmill/build/"
for target in test/fuzz/targets/*.ts; do
  name=$(basename "$target" .ts)
  # A target that waits for files is not run in one step.
  sync=--sync
  if grep -q 'async (data\|async function fuzz' "$target"; then sync=; fi
  cat > "$OUT/$name" <<RUN
#!/bin/bash
# LLVMFuzzerTestOneInput is in the Node module of Jazzer.js.
cd "\$(dirname "\$0")/urlmill"
exec node node_modules/@jazzer.js/core/dist/cli.js "build/fuzz/targets/$name.cjs" $sync --includes build/fuzz/targets -- "\$@"
RUN
  chmod +x "$OUT/$name"
done
