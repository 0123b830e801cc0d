package io.github.urlmill;

/**
 * Names the outcome of one URL: {@code UNCHANGED} and {@code CHANGED} are results, the others are errors. Ordinals are
 * the status bytes of batches, and never change.
 */
public enum Status {
  /** The URL was in normal form. */
  UNCHANGED("in normal form"),
  /** The URL was written in another form. */
  CHANGED("written in another form"),
  /** The input is nothing but space. */
  EMPTY("nothing but space"),
  /** The input has no scheme, and no default scheme to read it by. */
  NO_SCHEME("no scheme, and no base or default scheme to read it by"),
  /** The text before the first colon is not a scheme. */
  BAD_SCHEME("the text before the first colon is not a scheme"),
  /** The option {@code allowedSchemes} does not let the scheme pass. */
  SCHEME_NOT_ALLOWED("the scheme is not allowed; the option allowedSchemes lists those that are"),
  /** The host is missing or holds a character that no host may have. */
  BAD_HOST("the host is missing or holds a character no host may have"),
  /** The host ends in a number and is not an IPv4 address. */
  BAD_IPV4("the host ends in a number and is not an IPv4 address"),
  /** The text in brackets is not an IP address. */
  BAD_IPV6("the text in brackets is not an IP address"),
  /** The international host name is not valid (UTS #46). */
  BAD_IDN("the international host name is not valid"),
  /** The port is not a number, or is above 65535. */
  BAD_PORT("the port is not a number, or above 65535"),
  /** The URL has a user name, which its scheme does not allow. */
  BAD_USERINFO("the URL has a user name, which its scheme does not allow"),
  /** The URL is longer than the plan, the normalizer or the memory allows. */
  TOO_LONG("longer than maxLength, or than memory allows");

  private static final Status[] ALL = values();

  private final String meaning;

  Status(String meaning) {
    this.meaning = meaning;
  }

  /** Returns the outcome that a status byte stands for. Throws {@code ArrayIndexOutOfBoundsException} for other bytes. */
  public static Status of(byte status) {
    return ALL[status];
  }

  /** Says whether a URL with this outcome has no normal form. */
  public boolean isError() {
    return ordinal() > CHANGED.ordinal();
  }

  /** Says what the outcome means, in one line for people. */
  public String meaning() {
    return meaning;
  }
}
