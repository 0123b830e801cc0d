package io.github.urlmill;

/**
 * Reports every error of this package. {@link #code} is stable, and the same as in Node and Python; the message is for
 * people and may change.
 *
 * <p>Codes are the names of {@link Status} for a URL, and for a call: {@code BAD_OPTION} (a plan, preset, length or key
 * that cannot be taken), {@code BAD_COLUMN} (offsets that do not fit their bytes), {@code BATCH_TOO_LARGE} (a result of
 * more than 2 GiB), {@code ENGINE_UNAVAILABLE} (no memory for a kernel) and {@code ENGINE_FAILED} (the kernel stopped, or
 * is of another release).
 */
public final class UrlmillException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int SHOWN = 200;

  private final String code;
  private final int offset;

  UrlmillException(String code, String message) {
    this(code, message, -1, null);
  }

  UrlmillException(String code, String message, Throwable cause) {
    this(code, message, -1, cause);
  }

  private UrlmillException(String code, String message, int offset, Throwable cause) {
    super(code + ": " + message, cause);
    this.code = code;
    this.offset = offset;
  }

  static UrlmillException of(Status status, int offset, String url) {
    String shown = url.length() <= SHOWN ? url : url.substring(0, SHOWN) + "...";
    return new UrlmillException(status.name(), status.meaning() + ": " + shown, offset, null);
  }

  static UrlmillException badOption(String message) {
    return new UrlmillException("BAD_OPTION", message);
  }

  /** Names what went wrong, such as {@code BAD_PORT}. */
  public String code() {
    return code;
  }

  /** Gives the place of the error in a URL, in bytes of it as UTF-8; -1 if it has no place. */
  public int offset() {
    return offset;
  }
}
