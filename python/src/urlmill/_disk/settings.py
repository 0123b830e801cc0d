"""How a set on disk is opened."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from .._errors import OptionError
from .lock import check_system
from .plan import LEAST_MEMORY

_MOST_BY_DEFAULT = 1 << 31
_FSYNC = ("batch", "second", "close")


class DiskSettings(NamedTuple):
    """Holds how a set is opened."""

    directory: str
    memory: int
    fsync: str
    is_immediate: bool


def settings_of(
    directory: str, memory: "int | None", fsync: str, is_immediate: bool
) -> DiskSettings:
    """Return checked settings. Raise `BAD_OPTION` for what cannot be, and `PACKAGE_MISSING` on Windows."""
    check_system()
    size = default_memory() if memory is None else memory
    if not isinstance(size, int) or size < LEAST_MEMORY:
        raise OptionError(
            "BAD_OPTION", f"memory: {size!r} is not a number of bytes, {LEAST_MEMORY} or more"
        )
    if fsync not in _FSYNC:
        raise OptionError("BAD_OPTION", f"fsync: must be one of {', '.join(_FSYNC)}")
    return DiskSettings(directory, size, fsync, bool(is_immediate))


def default_memory(root: str = "/") -> int:
    """Return three quarters of the memory that the process may have, at most 2 GiB.

    That is the least of the machine's memory and the limits of its control group and of all groups above it.
    """
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = min([machine, *_group_limits(Path(root))])
    return max(LEAST_MEMORY, min(_MOST_BY_DEFAULT, 3 * limit // 4))


def _group_limits(root: Path) -> list[int]:
    groups = _text_of(root / "proc/self/cgroup")
    limits = []
    for pattern, top, name in (
        (r"^0::(/.*)$", "sys/fs/cgroup", "memory.max"),
        (
            r"^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(/.*)$",
            "sys/fs/cgroup/memory",
            "memory.limit_in_bytes",
        ),
    ):
        found = re.search(pattern, groups, re.MULTILINE)
        path = Path("/" if found is None else found[1])
        for group in (path, *path.parents):
            text = _text_of(root / top / str(group).lstrip("/") / name).strip()
            if text.isdecimal():
                limits.append(int(text))
    return limits


def _text_of(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""  # the system has no such groups
