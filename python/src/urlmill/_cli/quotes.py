"""Doubtful quotes of tables, named as src/runs/stream/damaged-records.ts names them."""

from .csv_records import Doubt
from .messages import Stopped, say, shown_input

_NAMED = 10
"""The quotes that are named. Others are counted."""


class OpenQuotes:
    """Names the first quotes that nothing closes, and cells of many lines, on standard error, and counts all."""

    def __init__(self, stops: bool = False) -> None:
        """`stops` says that the run ends at the first record with a fault, and says it."""
        self.is_silent = False
        self._stops = stops
        self._count = 0
        self._long = 0
        self._file = ""

    def begin(self, file: str) -> None:
        """Begin an input."""
        self._file = shown_input(file)

    def take(self, doubts: list[Doubt]) -> str:
        """Name the doubtful quotes of a record. Return what is wrong with it, or nothing."""
        fault = ""
        for line, lines in doubts:
            if lines is None:
                fault = self._fault(line)
                self._count += not self.is_silent
                if not self._stops:
                    self._say(f"{fault}; reading goes on with the next line", self._count)
            else:
                self._long += not self.is_silent
                place = f"{self._file}, line {line}"
                self._say(
                    f"{place}: a field in quotes has {lines} lines; is a quote missing?", self._long
                )
        return fault

    def check_header(self, doubts: list[Doubt]) -> None:
        """Raise `Stopped` for a header with a fault, if the run ends at the first record with one."""
        for line, lines in doubts:
            if lines is None and self._stops:
                raise Stopped(f"{self._fault(line)}; stopped (--on-error fail)")

    def _fault(self, line: int) -> str:
        return f"{self._file}, line {line}: a quote opens a field, and no quote closes it"

    def _say(self, sentence: str, count: int) -> None:
        if count <= _NAMED and not self.is_silent:
            say(sentence)

    def report(self) -> None:
        """Say how many there are, if not all were named."""
        for count, what in (
            (self._count, "records could not be read whole"),
            (self._long, "fields have more than 1,000 lines"),
        ):
            if count > _NAMED:
                say(f"{count} {what}; the first {_NAMED} are named above")

    def check(self) -> None:
        """Raise `Stopped` if there was a quote that nothing closes."""
        if self._count > 0:
            quotes = "1 quote is" if self._count == 1 else f"{self._count} quotes are"
            raise Stopped(f"{quotes} not closed, as said above")
