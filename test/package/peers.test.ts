import { expect, test } from "vitest";
import { loadPeer } from "../../src/peer.ts";

test("where an optional package is missing, the error has a code and says what to install", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(
    loadPeer("htmlparser2", "PACKAGE_MISSING", () => Promise.reject(missing)),
  ).rejects.toMatchObject({
    code: "PACKAGE_MISSING",
    message: "this needs the package htmlparser2: npm install htmlparser2",
  });
});

test("an error inside an optional package is not taken for a missing package", async () => {
  const broken = new SyntaxError("it is damaged");
  await expect(
    loadPeer("htmlparser2", "PACKAGE_MISSING", () => Promise.reject(broken)),
  ).rejects.toBe(broken);
});
