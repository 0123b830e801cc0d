import { toASCII } from "tr46";

/** The URL Standard's parameters of UTS #46 for another implementation; tr46 6.0.0 has Unicode 17.0.0, as the table. */
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

/** The URL Standard's host parser on a domain, by tr46; undefined for what is no matter of IDNA. */
export function hostByTr46(domain: string): string | null | undefined {
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  const ascii = isAscii ? domain.toLowerCase() : tr46ToAscii(domain);
  if (ascii === null || ascii === "" || /[\0-\x20#%/:<>?@[\\\]^|\x7f]/.test(ascii)) return null;
  return /(^|\.)(\d+|0x[\da-f]*)\.?$/.test(ascii) ? undefined : ascii;
}
