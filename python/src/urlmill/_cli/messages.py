"""What the command says to people, as src/io/say.ts: a terminal shows it but does not obey it."""

import json
import sys
import unicodedata
from collections.abc import Callable

_SHOWN_START = 2000
_SHOWN_END = 500
"""The characters of a longer sentence that are shown: its beginning, and its end, which may say what to do."""
_NAMES = 50
_NAMES_LENGTH = 1000
"""The most names that a sentence lists, and their characters."""


class Stopped(Exception):
    """Ends a run with exit code 1."""


def visible(text: str) -> str:
    """Write a text so that a terminal shows it but does not obey it."""
    return hidden(text, lambda code: f"\\u{{{code:x}}}", "utf-32-be")


def hidden(text: str, write: Callable[[int], str], encoding: str) -> str:
    """Write characters that nobody sees, or that turn the direction of writing, by the numbers of their units."""
    size = 2 if encoding.startswith("utf-16") else 4

    def units(character: str) -> str:
        data = character.encode(encoding)
        numbers = (int.from_bytes(data[at : at + size], "big") for at in range(0, len(data), size))
        return "".join(map(write, numbers))

    return "".join(
        units(character)
        if character != "\t" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
        else character
        for character in text
    )


def json_line(value: object) -> str:
    """Write a value as a line of JSON, in which characters are escaped that a terminal would obey."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hidden(text, lambda unit: f"\\u{unit:04x}", "utf-16-be") + "\n"


def say(sentence: str) -> None:
    """Write one sentence for people to standard error. Leave out the middle of a very long one."""
    left = len(sentence) - _SHOWN_START - _SHOWN_END
    if left > 0:
        start, end = sentence[:_SHOWN_START], sentence[-_SHOWN_END:]
        sentence = f"{start} … ({left} characters left out) … {end}"
    print(f"urlmill: {visible(sentence)}", file=sys.stderr)


class _Notes:
    """Says what is not an error, once in a run, and not with `--quiet`."""

    def __init__(self) -> None:
        self.begin(False)

    def begin(self, is_quiet: bool) -> None:
        """Begin a run."""
        self._is_quiet = is_quiet
        self._said: set[str] = set()

    def say(self, sentence: str) -> None:
        """Write a sentence, if the run has not yet."""
        if not self._is_quiet and sentence not in self._said:
            say(sentence)
        self._said.add(sentence)


NOTES = _Notes()


def shown_input(name: str) -> str:
    """Return the name of an input as sentences show it."""
    return "standard input" if name == "-" else name


def listed(names: list[str]) -> str:
    """Return names for a sentence. Of many names it has the first."""
    text = ", ".join(names[:_NAMES])[:_NAMES_LENGTH]
    is_whole = len(names) <= _NAMES and len(text) < _NAMES_LENGTH
    return text if is_whole else f"{text}..."
