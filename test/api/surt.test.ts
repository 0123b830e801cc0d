import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";

describeEngines("surt", (create) => {
  const normalizer = create();

  test.each([
    ["http://Example.com/path?query", "com,example)/path?query"],
    ["https://www.example.co.uk:8443/a#f", "uk,co,example,www:8443)/a#f"],
    ["http://user:pw@a.b/", "b,a@user:pw)/"],
    ["http://127.0.0.1:81/x", "127.0.0.1:81)/x"],
    ["http://[::1]/", "[::1])/"],
    ["http://localhost", "localhost)/"],
    ["http://a.b./", ",b,a)/"],
    ["ftp://a.b/c", "ftp://(b,a)/c"],
    ["file:///x", "file://()/x"],
    ["http://a,b.c/", "c,a%2Cb)/"],
    ["http://a)b.c/", "c,a%29b)/"],
    ["mailto:a@b.c", "mailto:a@b.c"],
  ])("%s is %s", (url, expected) => {
    expect(normalizer.surt(url)).toBe(expected);
  });
});
