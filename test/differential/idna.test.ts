import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { domainToAscii, domainToUnicode } from "../../src/url/idna/domain-to-ascii.ts";
import { toNfc } from "../../src/url/idna/nfc.ts";
import { encodePunycode } from "../../src/url/idna/punycode.ts";
import { MAPPED, statusOf, VALID } from "../../src/url/idna/table.ts";
import { describeEngines } from "../shared/engines.ts";
import { internationalDomains } from "../shared/international.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tr46ToAscii, wrongCodePoints } from "../shared/second-opinion.ts";

test("domainToAscii gives what tr46 gives, on generated domains", () => {
  const domains = internationalDomains(46, atLength(800, 60_000));
  const wrong = domains.filter((domain) => domainToAscii(domain) !== tr46ToAscii(domain));
  expect(
    wrong.slice(0, 5).map((domain) => [domain, domainToAscii(domain), tr46ToAscii(domain)]),
  ).toEqual([]);
});

test("domainToAscii gives what tr46 gives for labels that may be Punycode or overflow, and so do engines", () => {
  const random = new Random(3492);
  const digits = [..."abcdefghijklmnopqrstuvwxyz0123456789-", ..."999zz"];
  const domains = Array.from({ length: atLength(600, 20_000) }, () => {
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
    isEmpty(code) ? code % 61 === 0 : code < 0x3000 || code % atLength(59, 1) === 0;
  expect(wrongCodePoints(picks).slice(0, 10)).toEqual([]);
});

test("toNfc gives what the platform gives for valid characters it knows", () => {
  const texts = internationalDomains(15, atLength(1_000, 20_000)).map((text) =>
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

test("engines compose what is at the limits of Hangul letters, and no more", () => {
  const around = (...codes: number[]) =>
    codes.flatMap((code) => [code - 1, code, code + 1].map((each) => String.fromCodePoint(each)));
  const [leads, vowels, tails] = [
    around(0x1100, 0x1112),
    around(0x1161, 0x1175),
    around(0x11a8, 0x11c2),
  ];
  const syllables = around(0xac00, 0xac1c, 0xd788, 0xd7a3);
  const texts = [...leads.flatMap((lead) => vowels.map((vowel) => lead + vowel)), ...syllables];
  const urls = ["", ...tails].flatMap((tail) => texts.map((text) => `http://a${text}${tail}.b/`));
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  const result = wasm?.normalizeBatch(urls);
  expect(js?.normalizeBatch(urls)).toEqual(result);
  expect(result?.urls.filter((url) => url !== null).length).toBeGreaterThan(urls.length / 3);
});

test("engines map each code point alike", () => {
  const codes = Array.from({ length: 0x40000 - 0x80 }, (_, at) => at + 0x80).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && statusOf(code) === MAPPED,
  );
  const urls = codes
    .map((code) => String.fromCodePoint(code))
    .map((each) => `http://a${each}.${each}/`);
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  expect(js?.normalizeBatch(urls)).toEqual(wasm?.normalizeBatch(urls));
  expect(codes.length).toBeGreaterThan(5_000);
});

// Labels are read only beside one that is not ASCII.
describeEngines("a label of Punycode", (create) => {
  test("is refused where it holds more than Unicode does", () => {
    const n = create();
    const refused = [
      0x10fffe, 0x10ffff, 0x110000, 0x110001, 0x110041, 0x11ffff, 0x1fffff, 0x200000,
    ];
    for (const code of refused) {
      for (const others of [[], [0x61], [0xe9]]) {
        const url = `http://\u00fc.xn--${encodePunycode([...others, code])}/`;
        expect(n.tryNormalize(url)).toMatchObject({ url: null, status: Status.BAD_IDN });
      }
    }
  });

  test("is read in the order of its code points", () => {
    const n = create();
    // A joiner is valid after a virama, a mark is not at the beginning, and digits end no label that begins from the left.
    const labels: [number[], boolean][] = [
      [[0x915, 0x94d, 0x200d, 0x937], true],
      [[0x915, 0x200d, 0x94d, 0x937], false],
      [[0x200d, 0x915, 0x94d, 0x937], false],
      [[0x61, 0x361, 0x62], true],
      [[0x361, 0x61, 0x62], false],
      [[0x5d0, 0x31, 0x5d1], true],
      [[0x31, 0x5d0, 0x5d1], false],
    ];
    for (const [codes, isValid] of labels) {
      const ascii = `xn--${encodePunycode(codes)}`;
      const { ok } = n.tryNormalize(`http://\u00fc.${ascii}/`);
      expect([ascii, ok]).toEqual([ascii, isValid]);
    }
  });
});

test("a composite composes further where its parts do: U+16D63 U+16D68 is U+16D6A", () => {
  expect(toNfc([0x16d63, 0x16d68])).toEqual([0x16d6a]);
});

test("both engines agree on international hosts, and their output is a fixpoint", () => {
  const urls = internationalDomains(7, atLength(800, 20_000)).map((domain) => `http://${domain}/`);
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
  const urls = Array.from({ length: atLength(100, 2_000) }, () => {
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
  for (const domain of internationalDomains(3, atLength(800, 5_000))) {
    const ascii = domainToAscii(domain);
    if (ascii !== null) expect(domainToAscii(domainToUnicode(ascii))).toBe(ascii);
  }
});
