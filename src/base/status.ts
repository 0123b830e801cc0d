/**
 * Gives the number of each outcome of one URL, as a byte. 0 and 1 are results, the others are errors
 * (`urlmill help errors`). Numbers are stable.
 *
 * @example
 * createNormalizer().tryNormalize("http:/a b/").status === Status.BAD_HOST; // true
 */
export const Status = {
  /** The URL was in normal form. */
  UNCHANGED: 0,
  /** The URL was written in another form. */
  CHANGED: 1,
  /** The input is empty or only space. */
  EMPTY: 2,
  /** The input has no scheme, and no base or default scheme to read it by. */
  NO_SCHEME: 3,
  /** The text before the first colon is not a scheme. */
  BAD_SCHEME: 4,
  /** The option `allowedSchemes` does not let the scheme pass. */
  SCHEME_NOT_ALLOWED: 5,
  /** The host is missing or holds a character that no host may have. */
  BAD_HOST: 6,
  /** The host ends in a number and is not an IPv4 address. */
  BAD_IPV4: 7,
  /** The text in brackets is not an IP address. */
  BAD_IPV6: 8,
  /** The international host name is not valid (UTS #46). */
  BAD_IDN: 9,
  /** The port is not a number, or is above 65535. */
  BAD_PORT: 10,
  /** The URL has a user name, which its scheme does not allow. */
  BAD_USERINFO: 11,
  /** The URL is longer than `maxLength`, or than memory allows. */
  TOO_LONG: 12,
  /** The base is not an absolute URL. */
  BAD_BASE: 13,
  /** The row of the batch is neither a string nor a `URL` object. */
  NOT_A_STRING: 14,
} as const;

/** Names an outcome of one URL. */
export type StatusName = keyof typeof Status;
/** Holds the number of an outcome of one URL. */
export type StatusCode = (typeof Status)[StatusName];
/** Names the outcomes that are errors: a URL with one of them has no normalized form. */
export type UrlErrorCode = Exclude<StatusName, "UNCHANGED" | "CHANGED">;

const NAMES = Object.keys(Status) as StatusName[];

/**
 * Returns the name of a status byte. Throws `RangeError` for a number that is not a status.
 *
 * @example
 * statusName(7); // "BAD_IPV4"
 */
export function statusName(status: number): StatusName {
  const name = NAMES[status];
  if (name === undefined) throw new RangeError(`no status has the number ${status}`);
  return name;
}

/**
 * Returns whether a status byte is an error.
 *
 * @example
 * isError(Status.CHANGED); // false
 */
export function isError(status: number): boolean {
  return status > Status.CHANGED;
}

const MEANINGS: Record<UrlErrorCode, string> = {
  EMPTY: "nothing but space",
  NO_SCHEME: "no scheme, and no base or default scheme to read it by",
  BAD_SCHEME: "the text before the first colon is not a scheme",
  SCHEME_NOT_ALLOWED: "the scheme is not allowed; the option allowedSchemes lists those that are",
  BAD_HOST: "the host is missing or holds a character no host may have",
  BAD_IPV4: "the host ends in a number and is not an IPv4 address",
  BAD_IPV6: "the text in brackets is not an IP address",
  BAD_IDN: "the international host name is not valid",
  BAD_PORT: "the port is not a number, or above 65535",
  BAD_USERINFO: "the URL has a user name, which its scheme does not allow",
  TOO_LONG: "longer than maxLength, or than memory allows",
  BAD_BASE: "the base is not an absolute URL",
  NOT_A_STRING: "neither a string nor a URL object",
};

/**
 * Returns the meaning of an error code, as one line for people that does not contain the URL.
 *
 * @example
 * explainStatus("BAD_PORT"); // "the port is not a number, or above 65535"
 */
export function explainStatus(code: UrlErrorCode): string {
  return MEANINGS[code];
}
