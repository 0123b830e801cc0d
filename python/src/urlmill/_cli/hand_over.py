"""Hands a call to the next `urlmill` on PATH, which is the command of Node where both are installed."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .messages import say

_TRIED = "URLMILL_TRIED"
"""The variable with the commands that handed the call on, so that two of them do not do so for ever."""


class Unsupported(Exception):
    """Says what of a call this command has not: a command or a flag, and perhaps its value."""


def hand_over(arguments: Sequence[str], unsupported: str) -> int:
    """Let the next `urlmill` on PATH run the call. Without one, name what is unsupported, and return 2."""
    tried = [path for path in os.environ.get(_TRIED, "").split(os.pathsep) if path]
    tried.append(os.path.realpath(sys.argv[0]))
    for program in _programs():
        if os.path.realpath(program) not in tried:
            os.environ[_TRIED] = os.pathsep.join(tried)
            os.execv(program, [str(program), *arguments])
    say(
        f"the command of Python has no {unsupported}, and there is no other urlmill on PATH: "
        "npm install -g urlmill brings that of Node, which has all"
    )
    return 2


def _programs() -> Iterator[Path]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        program = Path(folder or ".", "urlmill")
        if program.is_file() and os.access(program, os.X_OK):
            yield program
