import { joinParts, splitParts } from "../url/parts.ts";

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Writes a normalized URL in Sort-friendly URI Reordering Transform, for indexes that keep a domain together:
 * `http://user@www.example.com:81/x?q` becomes `com,example,www:81@user)/x?q`. http and https look the same;
 * another scheme comes first, as in `ftp://(com,example)/`. IP addresses keep their order. `,`, `(` and `)`
 * in host and userinfo become triplets, so that those of the form are never theirs; `a,b` and `a%2Cb` share a form.
 * A URL without an authority stays as it is. The result is an output form: do not use it as a key.
 */
export function toSurt(url: string): string {
  const parts = splitParts(url);
  if (!parts.hasAuthority) return url;
  const { scheme, userinfo, host, port } = parts;
  const isAddress = host.startsWith("[") || IPV4.test(host);
  const labels = isAddress ? host : host.split(".").map(escapePunctuation).reverse().join(",");
  const user = userinfo === "" ? "" : `@${escapePunctuation(userinfo)}`;
  const rest = joinParts({ ...parts, userinfo: "", host: "", port: "" }).slice(scheme.length + 3);
  const prefix = scheme === "http" || scheme === "https" ? "" : `${scheme}://(`;
  return `${prefix}${labels}${port}${user})${rest}`;
}

function escapePunctuation(text: string): string {
  return text.replaceAll(",", "%2C").replaceAll("(", "%28").replaceAll(")", "%29");
}
