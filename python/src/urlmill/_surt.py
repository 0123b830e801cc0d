"""SURT: the form of a URL for indexes that keep a domain together."""

import re

_IPV4 = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")
_AUTHORITY = re.compile(r"//([^/?#]*)")
_PUNCTUATION = str.maketrans({",": "%2C", "(": "%28", ")": "%29"})


def to_surt(url: str) -> str:
    """Write a normalized URL in Sort-friendly URI Reordering Transform, as the kernel does for batches.

    http and https look the same; another scheme stands in front, as in `ftp://(com,example)/`. IP addresses keep their
    order. `,`, `(` and `)` in host and userinfo become triplets. A URL without an authority stays as it is.
    """
    scheme, _, after = url.partition(":")
    head = _AUTHORITY.match(after)
    if head is None:
        return url
    userinfo, at, host_and_port = head[1].partition("@")
    if not at:
        userinfo, host_and_port = "", userinfo
    host, port = _split_port(host_and_port)
    if not host.startswith("[") and _IPV4.fullmatch(host) is None:
        host = ",".join(label.translate(_PUNCTUATION) for label in reversed(host.split(".")))
    user = f"@{userinfo.translate(_PUNCTUATION)}" if userinfo else ""
    prefix = "" if scheme in ("http", "https") else f"{scheme}://("
    return f"{prefix}{host}{port}{user}){after[head.end() :]}"


def _split_port(host: str) -> tuple[str, str]:
    colon = host.find(":", host.find("]") if host.startswith("[") else 0)
    return (host, "") if colon < 0 else (host[:colon], host[colon:])
