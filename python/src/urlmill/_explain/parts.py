"""The pieces of a URL as they are in it (src/engine/explain/steps.ts). Texts have one character for each byte."""

import re
from typing import NamedTuple

DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}
"""The special schemes of the URL Standard with their default ports; `file` has none."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST = re.compile(r"(\[[^\]]*\]?[^:]*|[^:]*)(:.*)?", re.S)
_AUTHORITY = re.compile(r"[^/?#]*")
_SPECIAL_AUTHORITY = re.compile(r"[^/\\?#]*")
_REST = re.compile(r"([^?#]*)(\?[^#]*)?(#.*)?", re.S)


class Parts(NamedTuple):
    """Holds the pieces with their delimiters. Joined, they are the text."""

    scheme: str
    slashes: str
    userinfo: str
    host: str
    port: str
    path: str
    query: str
    fragment: str

    @property
    def is_special(self) -> bool:
        """Say whether the scheme is special in the URL Standard."""
        return self.scheme[:-1].lower() in DEFAULT_PORTS


def scheme_end(text: str) -> int:
    """Return the place after the colon of a scheme (RFC 3986 3.1), 0 for a text without one."""
    found = _SCHEME.match(text)
    return 0 if found is None else found.end()


def split_parts(text: str) -> Parts:
    """Split an absolute URL without surrounding space, TAB, LF and CR."""
    colon = scheme_end(text)
    scheme = text[: colon - 1].lower()
    is_special = scheme in DEFAULT_PORTS
    count = 0
    while text[colon + count : colon + count + 1] in (("/", "\\") if is_special else ("/",)):
        count += 1
    if not is_special or scheme == "file":
        count = 2 if count >= 2 else 0
    start = end = colon + count
    if count > 0 or (is_special and scheme != "file"):
        found = (_SPECIAL_AUTHORITY if is_special else _AUTHORITY).match(text, start)
        end = start if found is None else found.end()
    authority = text[start:end]
    userinfo = authority[: authority.rfind("@") + 1]
    host = _HOST.fullmatch(authority, len(userinfo))
    rest = _REST.fullmatch(text, end)
    assert host is not None
    assert rest is not None
    return Parts(
        text[:colon],
        text[colon:start],
        userinfo,
        host[1],
        host[2] or "",
        rest[1],
        rest[2] or "",
        rest[3] or "",
    )
