"""Files that are not lists of lines, and what makes lists of them.

Node's are in src/io/compression/foreign-format.ts and src/cli/guess/guess-format.ts.
"""

import re
from typing import NamedTuple

from .._errors import OptionError
from .messages import shown_input

LENGTH = 262
"""The bytes at the beginning of a file that tell. The mark of a tar archive is at 257."""


class _Form(NamedTuple):
    what: str
    magic: "re.Pattern[bytes]"
    command: str
    """Writes a list of a file, or of standard input."""
    needs_file: bool = False


def _form(what: str, magic: bytes, command: str, needs_file: bool = False) -> _Form:
    return _Form(what, re.compile(magic, re.S), command, needs_file)


_ZIP = _form("a zip archive", rb"PK\x03\x04", "unzip -p", True)
_IN_WORKBOOK = re.compile(rb"PK\x03\x04.{26}xl/", re.S)
"""The head of a file of a workbook in a zip archive."""
_FORMS = (
    # Seen here only inside gzip. A file that begins so is read or handed over before.
    _form("compressed with gzip", rb"\x1f\x8b", "gzip -dc"),
    _form("compressed with zstd", rb"\x28\xb5\x2f\xfd", "zstd -dc"),
    _form("compressed with bzip2", rb"BZh.1AY&SY", "bzip2 -dc"),
    _form("compressed with xz", rb"\xfd7zXZ\0", "xz -dc"),
    _form("compressed with lzip", rb"LZIP\x01", "lzip -dc"),
    _form("compressed with lz4", rb"\x04\x22\x4d\x18", "lz4 -dc"),
    _form("compressed with compress", rb"\x1f\x9d", "gzip -dc"),
    # The name of the first file in the archive.
    _form(
        "an Excel workbook",
        rb".{30}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/)",
        "xlsx2csv",
        True,
    ),
    _ZIP,
    _form("a 7z archive", rb"7z\xbc\xaf\x27\x1c", "7z x -so", True),
    _form("a rar archive", rb"Rar!\x1a\x07", "unrar p -inul", True),
    _form("a tar archive", rb".{257}ustar", "tar -xOf"),
    _form("text in UTF-32", rb"\xff\xfe\0\0|\0\0\xfe\xff", "iconv -f UTF-32 -t UTF-8"),
    _form("text in UTF-16", rb"(?:[\t\n\r -~]\0){2}", "iconv -f UTF-16LE -t UTF-8"),
    _form("text in UTF-16", rb"(?:\0[\t\n\r -~]){2}", "iconv -f UTF-16BE -t UTF-8"),
)

_TAKE_URLS = "take the URLs out of it first"
_NO_LISTS = tuple(
    (what, re.compile(begins), way)
    for what, begins, way in (
        ("a JSON array of arrays", rb"\s*\[\s*\[\s*\"", "jq -r '.[] | @csv'"),
        ("JSON over several lines", rb"\s*\{[ \t\r]*\n\s*\"", "jq -c ."),
        ("an HTML page", rb"\s*<(?i:!doctype html|html[\s>])", _TAKE_URLS),
        ("a PDF file", rb"%PDF-", _TAKE_URLS),
        ("a PNG image", rb"\x89PNG\r\n", _TAKE_URLS),
        ("an ORC file", rb"ORC[\s\S]{0,15}?[^\t\n\r -\xff]", _TAKE_URLS),
        ("a program (ELF)", rb"\x7fELF", _TAKE_URLS),
        (
            "a binary file (its first line has a NUL byte)",
            rb"[^\n]*\0",
            "-z reads lines that end at NUL",
        ),
    )
)
"""Files that would pass as lines: what they are, how they begin, and the command of jq or what else to do."""


def refuse_no_list(head: bytes, name: str) -> None:
    """Raise `OptionError` if a file begins as what is not a list."""
    found = next(((what, way) for what, begins, way in _NO_LISTS if begins.match(head)), None)
    if found is None:
        return
    what, way = found
    if way.startswith("jq "):
        file = "" if name == "-" or name.endswith((".gz", ".zst")) else _shell_word(name)
        way = f"run: {f'{way} {file}'.rstrip()} | urlmill …"
    message = f"{shown_input(name)} is {what}, not a list; {way}"
    raise OptionError("BAD_OPTION", f"{message}, or give --format lines to read it as lines")


def foreign(head: bytes, name: str, is_packed: bool) -> str | None:
    """Say why a list cannot be read that begins like this, and what to do; None if it can be.

    `is_packed` says that these are the bytes of a file in gzip.
    """
    found = next((form for form in _FORMS if form.magic.match(head)), None)
    if found is None:
        return None
    what, _, command, needs_file = found
    # Of standard input, Node knows fewer bytes.
    is_workbook = name.lower().endswith(".xlsx") or (name != "-" and _IN_WORKBOOK.search(head))
    if found is _ZIP and not is_packed and is_workbook:
        what, command = "an Excel workbook", "xlsx2csv"
    file = "" if name == "-" else _shell_word(name)
    stdin = "-" if what == "a tar archive" else ""
    if not is_packed:
        run = f"{command} {file or stdin}".rstrip()
        if needs_file and file == "":
            return f"it is {what}; save it and run: {command} FILE | urlmill …"
        return f"it is {what}; run: {run} | urlmill …"
    unpacked = f"gzip -dc {file}".rstrip()
    then = f"> FILE && {command} FILE" if needs_file else f"| {command} {stdin}".rstrip()
    return f"its gzip data are {what}; run: {unpacked} {then} | urlmill …"


def _shell_word(name: str) -> str:
    plain = re.fullmatch(r"[A-Za-z0-9_./,:@%+][A-Za-z0-9_./,:@%+-]*", name)
    return name if plain else "'" + name.replace("'", "'\\''") + "'"
