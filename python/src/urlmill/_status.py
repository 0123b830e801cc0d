"""Outcomes of one URL."""

from enum import IntEnum


class Status(IntEnum):
    """Numbers the outcome of one URL: 0 and 1 are results, the others are errors. Numbers are stable.

    >>> Status(7).name
    'BAD_IPV4'
    """

    UNCHANGED = 0
    """The URL was in normal form."""
    CHANGED = 1
    """The URL was written in another form."""
    EMPTY = 2
    """The input is nothing but space."""
    NO_SCHEME = 3
    """The input has no scheme, and no base or default scheme to read it by."""
    BAD_SCHEME = 4
    """The text before the first colon is not a scheme."""
    SCHEME_NOT_ALLOWED = 5
    """The option `allowed_schemes` does not let the scheme pass."""
    BAD_HOST = 6
    """The host is missing or holds a character that no host may have."""
    BAD_IPV4 = 7
    """The host ends in a number and is not an IPv4 address."""
    BAD_IPV6 = 8
    """The text in brackets is not an IP address."""
    BAD_IDN = 9
    """The international host name is not valid (UTS #46)."""
    BAD_PORT = 10
    """The port is not a number, or is above 65535."""
    BAD_USERINFO = 11
    """The URL has a user name, which its scheme does not allow."""
    TOO_LONG = 12
    """The URL is longer than `max_length`, or than there is memory for."""
    BAD_BASE = 13
    """The base is not an absolute URL."""
    NOT_A_STRING = 14
    """The row is null, or something else than text."""


MEANINGS = {
    Status.UNCHANGED: "in normal form",
    Status.CHANGED: "written in another form",
    Status.EMPTY: "nothing but space",
    Status.NO_SCHEME: "no scheme, and no base or default scheme to read it by",
    Status.BAD_SCHEME: "the text before the first colon is not a scheme",
    Status.SCHEME_NOT_ALLOWED: "the scheme is not allowed; the option allowed_schemes lists those that are",
    Status.BAD_HOST: "the host is missing or holds a character no host may have",
    Status.BAD_IPV4: "the host ends in a number and is not an IPv4 address",
    Status.BAD_IPV6: "the text in brackets is not an IP address",
    Status.BAD_IDN: "the international host name is not valid",
    Status.BAD_PORT: "the port is not a number, or above 65535",
    Status.BAD_USERINFO: "the URL has a user name, which its scheme does not allow",
    Status.TOO_LONG: "longer than max_length, or than memory allows",
    Status.BAD_BASE: "the base is not an absolute URL",
    Status.NOT_A_STRING: "neither str nor bytes",
}
"""Says of each outcome, in one line for people, what it means."""
