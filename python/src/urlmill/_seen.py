"""A set of URLs in memory."""

import os
import secrets
import threading
from collections.abc import Callable
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeVar

from ._base import Bases
from ._batches import Batch, read_batch
from ._errors import OptionError, SeenError, UrlError
from ._fingerprints import FINGERPRINT_BYTES, batch_windows, check_fingerprint_options, spread
from ._kernel import KEY_BYTES, Kernel
from ._normalizer import Normalizer
from ._status import Status
from ._texts import IS_ERROR, Text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName

T = TypeVar("T")

_MEMORY_BYTES = 1 << 32
"""Bytes that the memory of a kernel has at most."""
_FAILED = 0xFFFFFFFF
"""What WebAssembly returns for -1."""


class SeenSet:
    """Says of URLs whether they are new: normalizes them and remembers a keyed fingerprint of each.

    `SeenSet(preset="crawl")` takes the options of `Normalizer`, or a normalizer: `SeenSet(normalizer=n)`. URLs with
    equal normal forms are one. `bits` is 128, or 64 for half the memory and a false "seen" once in 2^64 pairs. `key`
    has 16 bytes, and is random without it. `capacity` makes room for so many URLs at once.

    A set takes up to 4 GiB: about 200 million URLs of 128 bits, or 400 million of 64. Threads may share it: calls are
    served one by one. A signal handler or a finalizer that uses it during a call of its thread gets `SeenError` with
    code `SEEN_FAILED`. It belongs to one process: after a fork only the parent may use it, and it cannot be pickled. A
    call that needs more memory than there is raises `SeenError` with code `SET_FULL`.

    >>> seen = SeenSet(preset="crawl")
    >>> list(seen.add_batch(["http://a/x?b&a", "HTTP://A:80/x?a&b#c", "nothing"]))
    [1, 0, 3]
    """

    def __init__(
        self,
        preset: "PresetName | None" = None,
        *,
        normalizer: Normalizer | None = None,
        bits: int = 128,
        key: bytes | None = None,
        capacity: int = 0,
        **options: "Unpack[NormalizerOptions]",
    ) -> None:
        used = secrets.token_bytes(KEY_BYTES) if key is None else key
        check_fingerprint_options(used, bits)
        if not isinstance(capacity, int) or capacity < 0:
            raise OptionError("BAD_OPTION", "capacity: must be a number of URLs, 0 or more")
        if normalizer is None:
            normalizer = Normalizer(preset, **options)
        elif preset is not None or options:
            raise OptionError("BAD_OPTION", "normalizer: has all options, so give no other option")
        self._normalizer = normalizer
        self._key = bytes(used)
        self._bits = bits
        self._bases = Bases(normalizer.plan)
        # Its thread may take it again: a signal handler that waited for its own thread would never end.
        self._lock = threading.RLock()
        self._is_serving = False
        self._process = os.getpid()
        self._kernel = kernel = Kernel(normalizer.plan, is_shared=True)
        function = kernel.instance.function
        function("setFingerprintBits")(bits)
        self._split = function("splitFingerprints")
        self._insert = function("insertFingerprints")
        self._has = function("hasFingerprints")
        self._reserve = function("reserveFingerprints")
        if capacity > 0:
            self.reserve(capacity)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a SeenSet cannot be pickled, because copies would answer apart: "
            "make one in the process that asks, or send URLs to that process"
        )

    @property
    def normalizer(self) -> Normalizer:
        """Return the normalizer of the set."""
        return self._normalizer

    @property
    def key(self) -> bytes:
        """Return the key of the set's fingerprints, 16 bytes.

        Keep it secret: who knows it can make the set drop a page.
        """
        return self._key

    @property
    def bits(self) -> int:
        """Return the size of a fingerprint in bits, 128 or 64."""
        return self._bits

    @property
    def capacity(self) -> int:
        """Return how many URLs the set has room for before its table grows."""
        places = self._number("tableBytes") // (self._bits >> 3) - _SPARE
        return max(0, places * 55 // 64)

    def __len__(self) -> int:
        return self._number("seenCount")

    def __contains__(self, url: object) -> bool:
        return isinstance(url, (str, bytes)) and self._ask([url], None, False)[0] == 1

    def add(self, url: Text, base: Text | None = None) -> bool:
        """Add a URL; return True if it is new. Raise `UrlError` for what is not a URL.

        >>> seen = SeenSet()
        >>> seen.add("http://a"), seen.add("HTTP://A/")
        (True, False)
        """
        return self._one(url, base, True)

    def has(self, url: Text, base: Text | None = None) -> bool:
        """Return whether a URL is in the set. Raise `UrlError` for a text that is not a URL."""
        return self._one(url, base, False)

    def _one(self, url: Text, base: Text | None, adds: bool) -> bool:
        answer: int = self._ask([url], base, adds)[0]
        if answer > Status.CHANGED:
            # Asks again for the place of the error.
            self._normalizer.normalize(url, base)
            raise UrlError(Status(answer).name, -1, url)
        return answer == 1

    def add_batch(self, batch: Any, base: Text | None = None) -> Any:
        """Add URLs. Return a byte a row: 1 if it is new, 0 if it was seen, and its error's number if it is not a URL.

        The batch is as for `Normalizer.normalize_batch`, and the answer as its status: `bytes` for a list. URLs are
        resolved against `base`. Raises `SeenError` with code `SET_FULL` without memory for all; rows of earlier windows
        are in the set then.
        """
        return self._ask(batch, base, True)

    def has_batch(self, batch: Any, base: Text | None = None) -> Any:
        """Ask for URLs without adding them. Return a byte a row: 1 if it is in the set, else as `add_batch`."""
        return self._ask(batch, base, False)

    def reserve(self, count: int) -> None:
        """Make room for `count` URLs in all, so that the set grows in fewer steps. Raise `SET_FULL` without memory."""
        # The kernel takes counts as signed numbers.
        most = (_MEMORY_BYTES // (self._bits >> 3)) * 55 // 64

        def reserve(kernel: Kernel) -> None:
            if count > most or self._reserve(count) == 0:
                raise SeenError(
                    "SET_FULL",
                    f"there is no memory for {count} URLs, and a set has {most} at most: "
                    "divide the URLs among several sets",
                )
            kernel.renew_views()

        self._serve(reserve)

    def _number(self, name: str) -> int:
        """Return the value of a global of the kernel."""
        return self._serve(lambda kernel: kernel.instance.number(name))

    def _ask(self, batch: Any, base: Text | None, adds: bool) -> Any:
        rows = read_batch(batch)
        base_url = b"" if base is None else self._bases.resolve(base)

        def ask(kernel: Kernel) -> bytes:
            kernel.set_base(base_url)
            return self._answers(kernel, rows, adds)

        return rows.codes(self._serve(ask))

    def _answers(self, kernel: Kernel, rows: Batch, adds: bool) -> bytes:
        windows, places, total = batch_windows(kernel, rows)
        answers = bytearray()
        for _, count, ending in windows:
            if ending < 0:
                answers.append(Status.TOO_LONG)
            else:
                answers += self._window(kernel, count, ending, adds)
        if places is None:
            return bytes(answers)
        return bytes(spread(places, answers, total))

    def _window(self, kernel: Kernel, rows: int, ending: int, adds: bool) -> bytes:
        """Answer for rows of the last call."""
        codes = kernel.status(rows)
        failed = kernel.instance.number("failedRows")
        # `reserve` voids the key, and a window may have called it.
        kernel.write_key(self._key)
        kernel.fingerprint(rows, ending)
        width = self._bits >> 3
        if failed == 0 and width == FINGERPRINT_BYTES:
            return self._marks(kernel, rows, adds)
        # The fingerprints without those of rows with an error, which are zeros.
        self._split(rows, 1, self._bits, 0)
        asked = rows - failed
        start, to = kernel.output_start, kernel.fingerprints_start
        kernel.bytes[to : to + asked * width] = kernel.bytes[start : start + asked * width]
        marks = self._marks(kernel, asked, adds)
        if failed == 0:
            return marks
        answers = bytearray(codes)
        given = iter(marks)
        for row in compress(range(rows), codes.translate(_IS_URL)):
            answers[row] = next(given)
        return bytes(answers)

    def _marks(self, kernel: Kernel, rows: int, adds: bool) -> bytes:
        if not adds:
            self._has(rows)
        elif self._insert(rows) == _FAILED:
            raise SeenError(
                "SET_FULL",
                f"the set has {kernel.instance.number('seenCount')} URLs and no memory for more: "
                "use 64 bits, or divide the URLs among several sets",
            )
        else:
            kernel.renew_views()
        start = kernel.instance.number("marks")
        return bytes(kernel.bytes[start : start + rows])

    def _serve(self, answer: Callable[[Kernel], T]) -> T:
        """Serve one call at a time, in the process that made the set."""
        if os.getpid() != self._process:
            raise SeenError(
                "SEEN_FAILED",
                "the set belongs to the process that this one was forked from, and copies would "
                "answer apart: make a set after the fork, or ask the parent",
            )
        with self._lock:
            if self._is_serving:
                raise SeenError(
                    "SEEN_FAILED",
                    "the set is in the middle of another call of this thread: a signal handler or a "
                    "finalizer cannot use it then. Let it note the URL, and add it after the call",
                )
            try:
                self._is_serving = True
                return answer(self._kernel)
            finally:
                self._is_serving = False


_SPARE = 1 << 10
"""Places of a table after the last home, for the run that begins there."""
_IS_URL = bytes(1 - error for error in IS_ERROR)
