"""The errors that the package raises; their codes are those of the TypeScript package."""

from __future__ import annotations


class OptionError(ValueError):
    """Options, or the rules in them, that cannot be compiled.

    ``code`` is stable: ``BAD_OPTION`` or ``BAD_RULES``. ``message`` is for people and may change.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class UrlError(ValueError):
    """A text that is not a URL, or a URL that the options refuse.

    ``code`` is stable, such as ``BAD_HOST``. ``offset`` is the place of the error in bytes of the
    input as UTF-8; -1 if no place can be named.
    """

    def __init__(self, code: str, offset: int = -1) -> None:
        super().__init__(code, offset)
        self.code = code
        self.offset = offset

    def __str__(self) -> str:
        return self.code if self.offset < 0 else f"{self.code} at byte {self.offset}"
