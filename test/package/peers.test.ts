import { afterEach, expect, test, vi } from "vitest";
import { builtin, peerError } from "../../src/base/peer.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ["Node", "ERR_MODULE_NOT_FOUND", "Cannot find package"],
  ["a bundle of webpack", "MODULE_NOT_FOUND", "Cannot find module"],
  ["a bundle of vite", undefined, 'Could not resolve "htmlparser2" imported by "urlmill".'],
  ["Chromium", undefined, "Failed to resolve module specifier 'htmlparser2'"],
  ["workerd", undefined, 'No such module "htmlparser2".'],
  ["Firefox", undefined, "The specifier “htmlparser2” was a bare specifier"],
  ["Safari", undefined, "Module name, 'htmlparser2' does not resolve to a valid URL."],
])(
  "where %s has no optional package, the error has a code and says what to install",
  (_, code, message) => {
    const missing = Object.assign(new TypeError(message), { code });
    expect(peerError(missing, "htmlparser2", "PACKAGE_MISSING")).toMatchObject({
      code: "PACKAGE_MISSING",
      message: "this needs the package htmlparser2: npm install htmlparser2",
    });
  },
);

test("an error inside an optional package is not taken for a missing package", () => {
  const broken = new SyntaxError("htmlparser2 is damaged");
  expect(peerError(broken, "htmlparser2", "PACKAGE_MISSING")).toBe(broken);
});

test.each([
  ["no process", undefined],
  ["a process that some bundler made", { env: {} }],
])("where there is %s, a module of Node is an error with a code", (_, process) => {
  vi.stubGlobal("process", process);
  expect(() => builtin("node:fs")).toThrow(
    expect.objectContaining({
      code: "PACKAGE_MISSING",
      message: "this needs the module node:fs, which this platform does not have",
    }),
  );
});
