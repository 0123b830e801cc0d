"""The steps of docs/spec.md 2 and 3 on absolute URLs, as src/engine/explain/steps.ts has them."""

import re
from collections.abc import Callable

from .._options.tables import FRAGMENT_BYTES, PATH_BYTES, QUERY_BYTES, UNRESERVED
from .parts import DEFAULT_PORTS, Parts, split_parts

Read = Callable[[str], "str | None"]
"""Returns the normal form of a URL under preset `safe`, or None."""
Apply = Callable[[Parts, Read], Parts]

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_LETTERS = re.compile("%[0-9A-Fa-f]{2}|[A-Z]+")


def _scheme_case(parts: Parts, _: Read) -> Parts:
    return parts._replace(scheme=parts.scheme.lower())


def _slashes(parts: Parts, _: Read) -> Parts:
    if not parts.is_special:
        return parts
    path = parts.path.replace("\\", "/")
    # A name after `file://` would be read as a host.
    is_alone = parts.slashes == "" and parts.scheme.lower() == "file:" and path[:1] not in ("", "/")
    return parts._replace(slashes="//", path=f"/{path}" if is_alone else path)


def _userinfo(parts: Parts, read: Read) -> Parts:
    written = read(f"{_like(parts)}{parts.userinfo}h/") if parts.userinfo else None
    return parts if written is None else parts._replace(userinfo=split_parts(written).userinfo)


def _host_case(parts: Parts, _: Read) -> Parts:
    # The digits of triplets are not letters of the host.
    lower = _LETTERS.sub(
        lambda found: found[0] if "%" in found[0] else found[0].lower(), parts.host
    )
    return parts._replace(host=lower)


def _host(parts: Parts, read: Read) -> Parts:
    written = read(f"{_like(parts)}{parts.host}/") if parts.host else None
    return parts if written is None else parts._replace(host=split_parts(written).host)


def _like(parts: Parts) -> str:
    """Return the beginning of a URL in which userinfo and host are written as in this one."""
    return "http://" if parts.is_special else "x://"


def _empty_port(parts: Parts, _: Read) -> Parts:
    return parts._replace(port="") if parts.port == ":" else parts


def _port(parts: Parts, _: Read) -> Parts:
    return (
        parts._replace(port=re.sub(r"^:0+(?=[0-9])", ":", parts.port))
        if parts.is_special
        else parts
    )


def _default_port(parts: Parts, _: Read) -> Parts:
    is_default = parts.port == f":{DEFAULT_PORTS.get(parts.scheme[:-1])}"
    return parts._replace(port="") if is_default else parts


def _empty_path(parts: Parts, _: Read) -> Parts:
    if not parts.is_special or parts.path.startswith("/"):
        return parts
    return parts._replace(path=f"/{parts.path}")


def _triplet_case(parts: Parts, _: Read) -> Parts:
    return _in_rest(parts, lambda triplet: triplet.upper())


def _unreserved_triplets(parts: Parts, _: Read) -> Parts:
    return _in_rest(parts, _decoded)


def _in_rest(parts: Parts, write: Callable[[str], str]) -> Parts:
    path, query, fragment = (
        _TRIPLET.sub(lambda found: write(found[0]), text)
        for text in (parts.path, parts.query, parts.fragment)
    )
    return parts._replace(path=path, query=query, fragment=fragment)


def _decoded(triplet: str) -> str:
    """Return what a triplet stands for if that is unreserved, else the triplet in upper case."""
    character = chr(int(triplet[1:], 16))
    return character if character in UNRESERVED else triplet.upper()


def _percent_encoding(parts: Parts, _: Read) -> Parts:
    query = QUERY_BYTES if parts.is_special else FRAGMENT_BYTES
    return parts._replace(
        path=_encoded(parts.path, PATH_BYTES),
        query=parts.query[:1] + _encoded(parts.query[1:], query),
        fragment=parts.fragment[:1] + _encoded(parts.fragment[1:], FRAGMENT_BYTES),
    )


def _encoded(text: str, allowed: str) -> str:
    def write(found: "re.Match[str]") -> str:
        piece = found[0]
        # A stray `%` before a triplet could become another one, so triplets stay.
        return piece if len(piece) == 3 else f"%{ord(piece):02X}"

    return re.sub(f"%[0-9A-Fa-f]{{2}}|[^{re.escape(allowed)}]", write, text, flags=re.S)


def _dot_segments(parts: Parts, read: Read) -> Parts:
    written = read("".join(parts)) if parts.path.startswith("/") else None
    return parts if written is None else parts._replace(path=split_parts(written).path)


STEPS: tuple[tuple[str, str, Apply], ...] = (
    ("schemeCase", "RFC 3986 6.2.2.1", _scheme_case),
    ("slashes", "WHATWG URL 4.4", _slashes),
    ("userinfo", "WHATWG URL 4.4, RFC 3986 3.2.1", _userinfo),
    ("hostCase", "RFC 3986 6.2.2.1", _host_case),
    ("host", "WHATWG URL 3.5, UTS #46", _host),
    ("emptyPort", "RFC 3986 6.2.3", _empty_port),
    ("port", "WHATWG URL 4.4", _port),
    ("defaultPort", "RFC 3986 6.2.3", _default_port),
    ("emptyPath", "RFC 3986 6.2.3", _empty_path),
    ("tripletCase", "RFC 3986 6.2.2.1", _triplet_case),
    ("percentEncoding", "RFC 3986 2.1", _percent_encoding),
    ("unreservedTriplets", "RFC 3986 6.2.2.2", _unreserved_triplets),
    ("dotSegments", "RFC 3986 6.2.2.3", _dot_segments),
)
"""The steps in the order they are shown, with the sections of standards. Each works on the result of those before."""
