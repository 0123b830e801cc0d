import { expect, test } from "vitest";
import { URL as ForeignUrl } from "whatwg-url";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";

const KEY = new Uint8Array(16);
const NOT_A_STRING = { ok: false, url: null, status: Status.NOT_A_STRING };

class Unreadable extends URL {
  override get href(): string {
    throw new Error("nobody may read this");
  }
}

class Numbered extends URL {
  override get href(): string {
    return 5 as unknown as string;
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable(new URL("http://a/"), {});
  revoke();
  return proxy;
}

describeEngines("a URL object of another realm", (create) => {
  const normalizer = create();
  const url = new ForeignUrl("HTTP://A/%7e") as unknown as URL;

  test("is its href, as a row", () => {
    expect(normalizer.tryNormalize(url)).toEqual({
      ok: true,
      url: "http://a/~",
      status: Status.CHANGED,
    });
    expect(normalizer.normalizeBatch([url, "http://b/"]).urls).toEqual(["http://a/~", "http://b/"]);
  });

  test("is its href, as a base", () => {
    expect(normalizer.normalizeBatch(["x"], { base: url }).urls).toEqual(["http://a/x"]);
  });
});

describeEngines("an object whose href cannot be read", (create) => {
  const normalizer = create();

  test.each([
    ["a prototype without a URL", Object.create(URL.prototype)],
    ["a proxy of a URL", new Proxy(new URL("http://a/"), {})],
    ["a revoked proxy", revoked()],
    ["a URL whose href throws", new Unreadable("http://a/")],
    ["a URL whose href is a number", new Numbered("http://a/")],
  ])("is NOT_A_STRING, and BAD_BASE as a base: %s", (_, object) => {
    const url = object as URL;
    expect(normalizer.tryNormalize(url)).toMatchObject(NOT_A_STRING);
    expect(normalizer.tryNormalize("x", url)).toMatchObject({ url: null, status: Status.BAD_BASE });
    expect(normalizer.explain(url).error).toBe("NOT_A_STRING");
    const rows = ["http://b", url, "http://c/"];
    const { urls, status } = normalizer.normalizeBatch(rows);
    expect(urls).toEqual(["http://b/", null, "http://c/"]);
    expect([...status]).toEqual([Status.CHANGED, Status.NOT_A_STRING, Status.UNCHANGED]);
    expect(normalizer.fingerprintBatch(rows, { key: KEY }).status).toEqual(status);
  });
});
