"""Errors that the package raises. Codes are stable; messages are for people and may change."""

from ._status import MEANINGS, Status

SHOWN = 200


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
        self.code = code
        self.offset = offset
        self.url = url

    def __str__(self) -> str:
        text = self.url if isinstance(self.url, str) else ascii(self.url)
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
        return f"{self.code}: {MEANINGS[Status[self.code]]}: {shown}"


class CallError(UrlmillError):
    """Reports a call, rather than a URL, that cannot be served."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class OptionError(CallError, ValueError):
    """Reports an option that is unknown, or has a value that it cannot take (`BAD_OPTION`, `BAD_RULES`)."""


class BatchError(CallError, TypeError):
    """Reports a batch of a kind that the method cannot take, or one that is too large.

    Codes are `BAD_INPUT`, `BAD_COLUMN` and `BATCH_TOO_LARGE`.
    """


class KernelError(CallError, RuntimeError):
    """Reports a kernel that cannot run here (`ENGINE_UNAVAILABLE`), or that stopped (`ENGINE_FAILED`)."""


class SeenError(CallError, RuntimeError):
    """Reports a set that cannot answer.

    It is full (`SET_FULL`), belongs to another process, or is in the middle of a call (`SEEN_FAILED`).
    """
