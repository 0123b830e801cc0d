"""Errors that the package raises. Codes are stable; messages are for people and may change.

The text of every error begins with its code. Other libraries, such as Polars, make a new error of the same class from
that text alone.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ._status import MEANINGS, Status

SHOWN = 200
_WITH_CODE = re.compile(r"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*): (.*)", re.DOTALL)


class UrlmillError(Exception):
    """Is the base of every error that this package raises.

    `code` names what went wrong.
    """

    code: str


class UrlError(UrlmillError, ValueError):
    """Reports a URL that has no normal form.

    `code` is the name of a `Status`, such as `"BAD_PORT"`. `offset` is the place of the error in bytes of the
    input as UTF-8, or -1 if no place can be named.
    """

    def __init__(self, code: str, offset: int = -1, url: object = None) -> None:
        super().__init__(code, offset, url)
        self.offset = offset
        self.url = url
        self._text: str | None = None
        if code not in Status.__members__:
            # Another library made this error from the text of one.
            self._text = code
            found = _WITH_CODE.match(code)
            code = found[1] if found else code
        self.code = code

    def __str__(self) -> str:
        if self._text is not None:
            return self._text
        text = self.url if isinstance(self.url, str) else ascii(self.url)
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        return f"{self.code}: {MEANINGS[Status[self.code]]}: {shown}"


class CallError(UrlmillError):
    """Reports a call, rather than a URL, that cannot be served.

    `message` says what is wrong. `CallError("BAD_INPUT", "it is a frame")` and `CallError("BAD_INPUT: it is a frame")`
    are equal errors.
    """

    code = "BAD_INPUT"

    def __init__(self, code: str, message: str | None = None) -> None:
        if message is None:
            found = _WITH_CODE.match(code)
            code, message = found.groups() if found else (type(self).code, code)
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class OptionError(CallError, ValueError):
    """Reports an option that is unknown, or has a value that it cannot take (`BAD_OPTION`, `BAD_RULES`)."""

    code = "BAD_OPTION"


class BatchError(CallError, TypeError):
    """Reports a batch of a kind that the method cannot take.

    Codes are `BAD_INPUT` and `BAD_COLUMN`.
    """


class KernelError(CallError, RuntimeError):
    """Reports a kernel that cannot run here (`ENGINE_UNAVAILABLE`), or that stopped (`ENGINE_FAILED`)."""

    code = "ENGINE_FAILED"


class SeenError(CallError, RuntimeError):
    """Reports a set that cannot answer.

    It is full (`SET_FULL`), belongs to another process, or is in the middle of a call (`SEEN_FAILED`).
    """

    code = "SEEN_FAILED"


class PackageMissingError(CallError, ModuleNotFoundError):
    """Reports that the call needs a package that is not installed (`PACKAGE_MISSING`)."""

    code = "PACKAGE_MISSING"


@contextmanager
def needing_pyarrow(extra: str) -> Iterator[None]:
    """Say which extra of this package to install where pyarrow is missing. Raise `PackageMissingError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        if isinstance(error, PackageMissingError) or error.name != "pyarrow":
            raise
        message = f"this needs the package pyarrow: pip install 'urlmill[{extra}]'"
        raise PackageMissingError("PACKAGE_MISSING", message) from error
