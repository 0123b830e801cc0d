"""The base that references are resolved against."""

from ._data_files import read_data, versions
from ._errors import UrlError
from ._free_kernels import FreeKernels
from ._status import Status
from ._texts import Text, utf8

_MAX_LENGTH_AND_DEFAULT_SCHEME = slice(4, 10)
"""What reading a base depends on in a plan. After it comes the form of rows: a base is a URL, whatever they become."""


class Bases:
    """Normalizes bases without any option, because an option could change what a relative reference means."""

    def __init__(self, plan: bytes) -> None:
        safe = bytearray(read_data(versions()["presets"]["safe"]["plan"]))
        safe[_MAX_LENGTH_AND_DEFAULT_SCHEME] = plan[_MAX_LENGTH_AND_DEFAULT_SCHEME]
        self._kernels = FreeKernels.of(bytes(safe))
        self._last: tuple[Text, bytes] = ("", b"")

    def resolve(self, base: Text) -> bytes:
        """Return the base in normal form. Remember it for calls with the same base. Raise `BAD_BASE`."""
        if not isinstance(base, (str, bytes)):
            raise UrlError("BAD_BASE", -1, base)
        given, written = self._last
        if base == given and written:
            return written
        data = utf8(base)
        with self._kernels.lend(b"") as kernel:
            is_url = kernel.normalize(data) <= Status.CHANGED
            written = kernel.url().encode() if is_url else b""
            offset = -1 if is_url else kernel.error_offset(data)
        if not is_url:
            raise UrlError("BAD_BASE", offset, base)
        self._last = (base, written)
        return written
