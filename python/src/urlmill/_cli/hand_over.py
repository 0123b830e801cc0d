"""Hands a call to the next `urlmill` on PATH, which is the command of Node where both are installed."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .messages import say

_TRIED = "URLMILL_TRIED"
"""The variable with the commands that handed the call on, so that two of them do not do so for ever."""


class Unsupported(Exception):
    """Says what of a call this command has not: a command or a flag, and perhaps its value; and what may be meant."""

    def __init__(self, what: str, meant: str = "") -> None:
        super().__init__(what)
        self.meant = meant


def hand_over(arguments: Sequence[str], unsupported: Unsupported) -> int:
    """Let the next `urlmill` on PATH run the call. Without one, name what is unsupported, and return 2."""
    program = next_command()
    if program is not None:
        os.environ[_TRIED] = os.pathsep.join(_tried())
        os.execv(program, [str(program), *arguments])
    if unsupported.meant:
        say(f"the command of Python has no {unsupported}; did you mean {unsupported.meant}?")
        return 2
    say(
        f"the command of Python has no {unsupported}, and there is no other urlmill on PATH: "
        "npm install -g urlmill brings that of Node, which may have it; urlmill help lists what this one has"
    )
    return 2


def next_command() -> Path | None:
    """Return the next `urlmill` on PATH that has not had the call yet; None without one."""
    tried = _tried()
    return next((each for each in _programs() if os.path.realpath(each) not in tried), None)


def _tried() -> list[str]:
    """Return the commands that had the call, this one too."""
    tried = [path for path in os.environ.get(_TRIED, "").split(os.pathsep) if path]
    return [*tried, os.path.realpath(sys.argv[0])]


def _programs() -> Iterator[Path]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        program = Path(folder or ".", "urlmill")
        if program.is_file() and os.access(program, os.X_OK):
            yield program
