"""Texts in the form in which normalizing writes them."""

from __future__ import annotations

import re

from .tables import PATH_BYTES, QUERY_BYTES, UNRESERVED

#: How the triplet of each byte is written: as the byte if it is unreserved, else in upper case.
DECODED: tuple[str, ...] = tuple(
    chr(byte) if chr(byte) in UNRESERVED else f"%{byte:02X}" for byte in range(256)
)

_DIGITS = re.compile("[0-9]+|0[xX][0-9A-Fa-f]*")
_TRIPLET_OR_UPPER = re.compile("%..|[A-Z]+")


def _outside(allowed: str) -> re.Pattern[bytes]:
    return re.compile(b"%[0-9A-Fa-f]{2}|[^" + re.escape(allowed).encode() + b"]")


_PATH = _outside(PATH_BYTES)
_QUERY = _outside(QUERY_BYTES)


def utf8(text: str) -> bytes:
    """Return the UTF-8 bytes of any text; a lone surrogate becomes U+FFFD, as in JavaScript."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        units = text.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").encode()


def written_in_path(text: str) -> str:
    """Return a text as normalizing writes it in a path."""
    return _PATH.sub(_write, utf8(text)).decode("ascii")


def written_in_query(text: str) -> str:
    """Return a text as normalizing writes it in the query of a special scheme."""
    return _QUERY.sub(_write, utf8(text)).decode("ascii")


def _write(found: re.Match[bytes]) -> bytes:
    piece = found[0]
    byte = piece[0] if len(piece) == 1 else int(piece[1:], 16)
    return (f"%{byte:02X}" if len(piece) == 1 else DECODED[byte]).encode()


def lower_case(text: str) -> str:
    """Return a written text with its ASCII letters in lower case, but not those of triplets."""
    return _TRIPLET_OR_UPPER.sub(
        lambda found: found[0] if found[0][0] == "%" else found[0].lower(), text
    )


def ends_in_number(domain: str) -> bool:
    """Return whether the last label is a number (URL Standard, "ends in a number checker")."""
    return _DIGITS.fullmatch(domain.removesuffix(".").rpartition(".")[2]) is not None
