"""Hands a call to the next `urlmill` on PATH, which is the command of Node where both are installed."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .._options.tables import NODE_WORDS
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
    has_not = f"the command of Python has no {unsupported}"
    if unsupported.meant:
        say(f"{has_not}; did you mean {unsupported.meant}?")
    elif is_of_nobody(str(unsupported)):
        say(f"{has_not}, nor has that of Node; urlmill help lists what this one has")
    else:
        say(
            f"{has_not}: that is for the command of Node, and there is no other urlmill on PATH. After "
            "npm install -g urlmill this command passes such calls on; urlmill help lists what this one has"
        )
    return 2


def is_of_nobody(what: str) -> bool:
    """Say whether the command of Node lacks this command or flag, too."""
    kind, _, word = what.partition(" ")
    if kind == "flag":
        # Node takes `-j4` for `-j 4`, and `--no-progress`.
        word = word.replace("--no-", "--", 1) if word.startswith("--") else word[:2]
    return kind in ("command", "flag") and word not in NODE_WORDS


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
