/**
 * The outcome of one URL as a byte: 0 and 1 are results, the others the error codes of docs/spec.md 5.
 * Numbers are stable.
 */
export const Status = {
  UNCHANGED: 0,
  CHANGED: 1,
  EMPTY: 2,
  NO_SCHEME: 3,
  BAD_SCHEME: 4,
  SCHEME_NOT_ALLOWED: 5,
  BAD_HOST: 6,
  BAD_IPV4: 7,
  BAD_IPV6: 8,
  BAD_IDN: 9,
  BAD_PORT: 10,
  BAD_USERINFO: 11,
  TOO_LONG: 12,
  BAD_BASE: 13,
  NOT_A_STRING: 14,
} as const;

export type StatusName = keyof typeof Status;
export type StatusCode = (typeof Status)[StatusName];
/** The names that are errors: a URL with one of them has no normalized form. */
export type UrlErrorCode = Exclude<StatusName, "UNCHANGED" | "CHANGED">;

const NAMES = Object.keys(Status) as StatusName[];

/** The name of a status byte, such as `BAD_HOST`. */
export function statusName(status: number): StatusName {
  const name = NAMES[status];
  if (name === undefined) throw new RangeError(`no status has the number ${status}`);
  return name;
}

/** Whether a status byte is an error. */
export function isError(status: number): boolean {
  return status > Status.CHANGED;
}

const MEANINGS: Record<UrlErrorCode, string> = {
  EMPTY: "nothing but space",
  NO_SCHEME: "no scheme, and no base or default scheme to read it by",
  BAD_SCHEME: "what stands before the first colon is not a scheme",
  SCHEME_NOT_ALLOWED: "the scheme is not among those allowed",
  BAD_HOST: "the host is missing or holds a character no host may have",
  BAD_IPV4: "the host ends in a number and is not an IPv4 address",
  BAD_IPV6: "what stands in brackets is not an IP address",
  BAD_IDN: "the international host name is not valid",
  BAD_PORT: "the port is not a number, or above 65535",
  BAD_USERINFO: "a user name where the scheme has none",
  TOO_LONG: "longer than the limit, or than there is memory for",
  BAD_BASE: "the base is not an absolute URL",
  NOT_A_STRING: "neither a string nor a URL object",
};

/** One line for people, without the URL. */
export function explainStatus(code: UrlErrorCode): string {
  return MEANINGS[code];
}
