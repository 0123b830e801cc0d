import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { domainToAscii, domainToUnicode } from "../../src/url/idna/domain-to-ascii.ts";
import { toNfc } from "../../src/url/idna/nfc.ts";
import { statusOf, VALID } from "../../src/url/idna/table.ts";
import { describeEngines } from "../shared/engines.ts";
import { internationalDomains } from "../shared/international.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tr46ToAscii, wrongCodePoints } from "../shared/second-opinion.ts";

test("domainToAscii gives what tr46 gives, on generated domains", () => {
  const domains = internationalDomains(46, atLength(4_000, 60_000));
  const wrong = domains.filter((domain) => domainToAscii(domain) !== tr46ToAscii(domain));
  expect(
    wrong.slice(0, 5).map((domain) => [domain, domainToAscii(domain), tr46ToAscii(domain)]),
  ).toEqual([]);
});

test("domainToAscii gives what tr46 gives for labels that may be Punycode or overflow, and so do engines", () => {
  const random = new Random(3492);
  const digits = [..."abcdefghijklmnopqrstuvwxyz0123456789-", ..."999zz"];
  const domains = Array.from({ length: atLength(1_500, 20_000) }, () => {
    const length = 1 + random.below(random.chance(3) ? 40 : 9);
    return `xn--${Array.from({ length }, () => random.pick(digits)).join("")}`;
  });
  const wrong = domains.filter((domain) => domainToAscii(domain) !== tr46ToAscii(domain));
  expect(wrong.slice(0, 5)).toEqual([]);
  const [wasm, js] = (["wasm", "js"] as const).map((engine) =>
    createNormalizer({ engine }).normalizeBatch(
      domains.map((domain) => `http://\u00fc.${domain}/`),
    ),
  );
  expect(wasm).toEqual(js);
});

test("domainToAscii gives what tr46 gives for code points, by themselves and after a letter and a mark", () => {
  // Planes with characters, and few of the others. In short, all of the first 12,288 and some of the rest.
  const isEmpty = (code: number) => code > 0x3ffff && code >> 16 !== 14;
  const picks = (code: number) =>
    isEmpty(code) ? code % 61 === 0 : code < 0x3000 || code % atLength(29, 1) === 0;
  expect(wrongCodePoints(picks).slice(0, 10)).toEqual([]);
});

test("toNfc gives what the platform gives for valid characters it knows", () => {
  const texts = internationalDomains(15, atLength(5_000, 20_000)).map((text) =>
    [...text].filter(
      (each) => statusOf(each.codePointAt(0) as number) === VALID && /\p{Assigned}/u.test(each),
    ),
  );
  const wrong = texts.filter((characters) => {
    const codes = characters.map((each) => each.codePointAt(0) as number);
    return String.fromCodePoint(...toNfc(codes)) !== characters.join("").normalize("NFC");
  });
  expect(wrong).toEqual([]);
});

test("Hangul syllables and letters compose as the platform composes them, in every order", () => {
  const parts = ["\u1100", "\u1161", "\u11a7", "\u11a8", "\uac00", "\uac01", "\u0301", "\u0323"];
  let texts = [""];
  for (let length = 0; length < 4; length++) {
    texts = texts.flatMap((text) => parts.map((part) => text + part));
  }
  const nfc = (text: string): string =>
    String.fromCodePoint(...toNfc([...text].map((each) => each.codePointAt(0) as number)));
  expect(texts.filter((text) => nfc(text) !== text.normalize("NFC"))).toEqual([]);
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  const urls = texts.map((text) => `http://a${text}/`);
  expect(js?.normalizeBatch(urls)).toEqual(wasm?.normalizeBatch(urls));
});

test("a composite composes further where its parts do: U+16D63 U+16D68 is U+16D6A", () => {
  expect(toNfc([0x16d63, 0x16d68])).toEqual([0x16d6a]);
});

test("both engines agree on international hosts, and their output is a fixpoint", () => {
  const urls = internationalDomains(7, atLength(4_000, 20_000)).map(
    (domain) => `http://${domain}/`,
  );
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  const first = wasm?.normalizeBatch(urls);
  expect(js?.normalizeBatch(urls)).toEqual(first);
  const outputs = first?.urls.filter((url) => url !== null) ?? [];
  expect(outputs.length).toBeGreaterThan(urls.length / 10);
  expect(wasm?.normalizeBatch(outputs).urls).toEqual(outputs);
});

describeEngines("an international domain", (create) => {
  const normalizer = create();

  test("may have 2,048 code points, mapped and in NFC", () => {
    const outcome = (domain: string) => normalizer.tryNormalize(`http://${domain}/`).status;
    for (const character of ["ä", "Ä", "丽", "𐐷", "\u1100\u1161"]) {
      const most = 2_048 / [...character].length;
      expect(outcome(character.repeat(most))).toBe(Status.CHANGED);
      expect(outcome(character.repeat(most + 1))).toBe(Status.BAD_IDN);
    }
    expect(outcome(`${"ä".repeat(2_048)}.`)).toBe(Status.BAD_IDN);
    expect(outcome(`ä${"\u00ad".repeat(100_000)}`)).toBe(Status.CHANGED);
  });
});

test("both engines agree on long domains that NFC has work with", () => {
  const random = new Random(11);
  const parts = [
    "a",
    "ä",
    "\u0301",
    "\u0323",
    "\u0344",
    "\u1100",
    "\u1161",
    "\u11a8",
    "ﷺ",
    "ǖ",
    ".",
    "ক",
    "\u09be",
  ];
  const urls = Array.from({ length: atLength(300, 2_000) }, () => {
    const some = Array.from({ length: 1 + random.below(4) }, () => random.pick(parts));
    const length = random.chance(2) ? random.below(40) : random.below(2_100);
    return `http://x${Array.from({ length }, () => random.pick(some)).join("")}/`;
  });
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  expect(js?.normalizeBatch(urls)).toEqual(wasm?.normalizeBatch(urls));
});

test("domainToUnicode shows what domainToAscii took, and leaves what it did not take", () => {
  expect(domainToUnicode("xn--bcher-kva.example.xn--zca")).toBe("bücher.example.ß");
  expect(domainToUnicode("xn--a.xn--0.com")).toBe("xn--a.xn--0.com");
  for (const domain of internationalDomains(3, atLength(2_000, 5_000))) {
    const ascii = domainToAscii(domain);
    if (ascii !== null) expect(domainToAscii(domainToUnicode(ascii))).toBe(ascii);
  }
});
