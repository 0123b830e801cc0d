"""Writes a file beside the one that it replaces, as src/io/files/replaced-file.ts does."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_DIRECT = re.compile(r"/(dev|proc)/")


@contextmanager
def replaced(name: str) -> Iterator[str]:
    """Yield the name of a temporary file beside an output. At the end it takes the place of the output.

    After an error the temporary file is removed, and the output is as it was. A pipe and a device are written
    directly. Raises `OSError` for an output that cannot be written.
    """
    target = os.path.realpath(name)
    mode = _mode_of(target)
    if _DIRECT.match(name) or (mode is not None and not stat.S_ISREG(mode)):
        yield name
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
    folder, last = os.path.split(target)
    # It has the ending of the output, by which a reader knows how it is compressed.
    path = os.path.join(folder, f".urlmill-{os.getpid()}-{last}")
    try:
        yield path
        if mode is not None:
            os.chmod(path, stat.S_IMODE(mode))
        os.replace(path, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(path)
        if isinstance(error, OSError) and error.filename == path:
            error.filename = name
        raise


def _mode_of(path: str) -> int | None:
    """Return the mode of a file, None where there is none."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
