import { toASCII } from "tr46";
import { domainToAscii } from "../../src/url/idna/domain-to-ascii.ts";

/** The URL Standard's parameters of UTS #46 for another implementation; tr46 7.0.0 has Unicode 18.0.0, as the table. */
export function tr46ToAscii(domain: string): string | null {
  return toASCII(domain, {
    checkHyphens: false,
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: false,
    verifyDNSLength: false,
    transitionalProcessing: false,
    ignoreInvalidPunycode: false,
  });
}

/** The URL Standard's host parser on a domain, by tr46; undefined for hosts that IDNA does not cover. */
export function hostByTr46(domain: string): string | null | undefined {
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  const ascii = isAscii ? domain.toLowerCase() : tr46ToAscii(domain);
  if (ascii === null || ascii === "" || /[\0-\x20#%/:<>?@[\\\]^|\x7f]/.test(ascii)) return null;
  return /(^|\.)(\d+|0x[\da-f]*)\.?$/.test(ascii) ? undefined : ascii;
}

/** Returns the picked code points from U+0080 on whose domains tr46 writes differently. */
export function wrongCodePoints(picks: (code: number) => boolean): number[] {
  const wrong: number[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || !picks(code)) continue;
    const character = String.fromCodePoint(code);
    const domain = `a${character}b.${character}`;
    if (domainToAscii(domain) !== tr46ToAscii(domain)) wrong.push(code);
  }
  return wrong;
}
