import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/proofs/*.proof.ts"], testTimeout: 3_600_000, root: "." },
});
