import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { learnLines, many, records } from "../shared/learn-site.ts";

const hex = (text: string): string => createHash("md5").update(text).digest("hex");
const base64 = (text: string): string =>
  Buffer.from(text).toString("base64").replaceAll("=", ",").replaceAll("/", "_");

/** The item of a shop in three spellings: plain, and with two ids. */
const spelled = (plain: string, withId: (text: string) => string) => (n: number) => ({
  [plain.replace("N", `${n}`)]: `item ${n}`,
  [withId(`first ${n}`).replace("N", `${n}`)]: `item ${n}`,
  [withId(`second ${n}`).replace("N", `${n}`)]: `item ${n}`,
});

test.each([
  [
    "/shop/item-N/",
    (text: string) => `/shop/item-N/sid/${hex(text)}/`,
    "/shop/...\tsub /sid/<H> =>",
  ],
  [
    "/product/view/id/N/",
    (text: string) => `/product/view/id/N/uenc/${base64(`http://a.org/${text}`)}/`,
    "/product/view/id/...\tsub /uenc/<T> =>",
  ],
  [
    "/app/show-N.do",
    (text: string) => `/app/show-N.do;jsessionid=${hex(text).toUpperCase()}.n1`,
    "/app/...\tsub ;jsessionid=<T> =>",
  ],
])("an id in the path of %s goes with its name", (plain, withId, rule) => {
  expect(learnLines(records(many(90, spelled(plain, withId))))).toEqual([`a.org\t${rule}`]);
});

test("a short word after a name may be a version or a language, and stays", () => {
  const pages = many(90, (n) => ({
    [`/item-${n}/`]: `item ${n}`,
    [`/item-${n}/edition/first/`]: `item ${n}`,
    [`/item-${n}/edition/second/`]: n % 20 === 0 ? `other ${n}` : `item ${n}`,
  }));
  expect(learnLines(records(pages)).filter((line) => line.includes("<T>"))).toEqual([]);
});

test("a prefix that is a word goes, though most of its kind are wrong", () => {
  const pages = many(30, (n) => {
    const film = `film-${hex(`${n}`).replaceAll(/[0-9]/g, "")}`;
    const others = ["trailer", "cast", "music", "review"].map((word) => [
      `/${word}/${film}/`,
      n < 8 ? `film ${n}` : `${word} of ${n}`,
    ]);
    return {
      [`/${film}/`]: `film ${n}`,
      [`/en/${film}/`]: `film ${n}`,
      ...Object.fromEntries(others),
    };
  });
  expect(learnLines(records(pages))).toEqual(["a.org\t/en/...\tcut en"]);
});

test.each(["0.10", "v2", "2024"])("a folder named %s may be a version, and stays", (version) => {
  const pages = many(60, (n) => ({
    [`/docs/f${n}.html`]: `p${n}`,
    [`/docs/${version}/f${n}.html`]: `p${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});
