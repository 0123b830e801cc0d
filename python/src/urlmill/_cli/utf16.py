"""Text in UTF-16 with a byte order mark, as Excel and Windows write it, read as UTF-8."""

import codecs
import io

_UTF32 = b"\xff\xfe\0\0"
_PIECE = 1 << 16


def is_utf16(head: bytes) -> bool:
    """Say whether bytes begin with a byte order mark of UTF-16."""
    return head[:2] in (b"\xff\xfe", b"\xfe\xff") and head[:4] != _UTF32


class Utf16Reader(io.RawIOBase):
    """Reads UTF-16 as UTF-8, without its byte order mark. Raises `UnicodeError` after what comes before damage."""

    def __init__(self, source: io.BufferedReader) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._decoded = 0
        self._rest = b""
        self._error: UnicodeError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        """Fill a buffer. Return how many bytes there are, 0 at the end."""
        while not self._rest:
            if self._error is not None:
                raise self._error
            data = self._source.read1(_PIECE)
            self._rest = self._decode(data).encode()
            if not data and self._error is None:
                break
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count

    def _decode(self, data: bytes) -> str:
        """Return a piece as text, up to what is not UTF-16."""
        waiting = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            text = error.object[: error.start].decode(error.encoding)
            place = self._decoded - waiting + error.start
            self._error = UnicodeError(f"has half of a character at byte {place}")
        self._decoded += len(data)
        return text
