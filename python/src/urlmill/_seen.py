"""Sets of URLs."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Protocol, TypeVar, cast

from ._base import Bases
from ._batches import Batch, read_batch
from ._errors import OptionError, SeenError, UrlError
from ._fingerprints import check_fingerprint_options
from ._kernel import KEY_BYTES, Kernel
from ._memory_store import MemoryStore
from ._normalizer import Normalizer, normalizer_of
from ._status import Status
from ._texts import Text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._disk import DiskStore
    from ._option_types import NormalizerOptions, PresetName

T = TypeVar("T")


class Store(Protocol):
    """Keeps the fingerprints of a set. `key` is that of the set; `bits` tell two URLs apart."""

    @property
    def key(self) -> bytes: ...
    @property
    def bits(self) -> int: ...

    def answers(self, kernel: Kernel, rows: Batch, adds: bool) -> bytes:
        """Answer for a batch that the kernel normalizes: add its URLs, or ask for them."""

    def size(self) -> int:
        """Count the URLs."""

    def stats(self) -> dict[str, Any]:
        """Describe the store."""

    def close(self) -> None:
        """Make all durable, and let go of what the process has."""


def _refuse() -> NoReturn:
    raise SeenError("SEEN_CLOSED", "the set is closed")


class DrainedPiece(NamedTuple):
    """Holds answers for rows of `SeenSet.enqueue_batch`, in the order in which they came."""

    row: int
    """The number of the first row. Numbers go on from one call to the next, and from one process to the next."""
    answers: bytes
    """A byte a row: 1 if it is new, 0 if it was seen before, else the number of its error (`Status`)."""
    payloads: "list[bytes] | None"
    """The bytes that were given with each row; None if none were."""
    commit: Callable[[], None]
    """Says that you have kept this piece and all before it: they do not come again. It returns when that is durable."""


class SeenSet:
    """Says of URLs whether they are new: normalizes them and remembers a keyed fingerprint of each.

    `SeenSet(preset="crawl")` takes the options of `Normalizer`, or a normalizer: `SeenSet(normalizer=n)`. URLs with
    equal normal forms are one. `bits` is 128, or 64 for half the memory and a false "seen" once in 2^64 pairs. `key`
    has 16 bytes, and is random without it. `capacity` makes room for so many URLs at once.

    That is a set in memory, which takes up to 4 GiB: about 200 million URLs of 128 bits, or 400 million of 64.
    `SeenSet.open` gives one on disk.

    Threads may share a set: calls are served one by one. A signal handler or a finalizer that uses it during a call of
    its thread gets `SeenError` with code `SEEN_FAILED`. It belongs to one process: after a fork only the parent may use
    it, and it cannot be pickled. A call that needs more memory than there is raises `SeenError` with code `SET_FULL`.

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
        used = os.urandom(KEY_BYTES) if key is None else key
        check_fingerprint_options(used, bits)
        if not isinstance(capacity, int) or capacity < 0:
            raise OptionError("BAD_OPTION", "capacity: must be a number of URLs, 0 or more")
        self._begin(normalizer_of(preset, normalizer, options))
        self._store = MemoryStore(self._kernel, bytes(used), bits)
        if capacity > 0:
            self.reserve(capacity)

    @classmethod
    def open(
        cls,
        path: "str | os.PathLike[str]",
        preset: "PresetName | None" = None,
        *,
        store: Literal["disk"],
        normalizer: Normalizer | None = None,
        key: bytes | None = None,
        memory: int | None = None,
        fsync: str = "second",
        immediate: bool = True,
        **options: "Unpack[NormalizerOptions]",
    ) -> "SeenSet":
        """Open a set in a directory, or begin one, which is far larger than memory and outlives the process.

        Node opens the same directory with `SeenSet.open(disk(path), options)`: one process at a time, of any language.
        A set goes on with the options that it was made with. `key` is that of the set, and random for a new one.

        `memory` limits the memory that the set takes, in bytes: 16,777,216 or more. More makes it faster. Without it,
        that is three quarters of what the process may have, at most 2 GiB. `fsync` says when URLs must be on disk:
        before a call answers (`"batch"`), at most a second later, or when the set is closed (`"close"`). With
        `immediate=False` the set does not answer at once: `enqueue_batch` and `drain` do more at a time.

        Raises `SeenError` with code `SEEN_MISMATCH` if the set was made with other options or another key,
        `SEEN_CORRUPT` if it is damaged or is not a set, `SEEN_LOCKED` if another process has it open, and `SEEN_FAILED`
        if the system refuses a call. Raises `OptionError` for an option that it cannot take, and `PackageMissingError`
        on Windows.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as path:
        ...     with SeenSet.open(path, "crawl", store="disk", memory=1 << 26) as seen:
        ...         first = seen.add("http://a/?b&a")
        ...     with SeenSet.open(path, "crawl", store="disk", memory=1 << 26) as seen:
        ...         print(first, seen.add("http://a/?a&b"), len(seen))
        True False 1
        """
        if store != "disk":
            raise OptionError("BAD_OPTION", 'store: must be "disk"')
        if key is not None:
            check_fingerprint_options(key, 128)
        from ._disk import Identity, open_store, settings_of

        # The process may change its directory while the set is open.
        settings = settings_of(os.path.abspath(path), memory, fsync, immediate)
        opened = cls.__new__(cls)
        opened._begin(made := normalizer_of(preset, normalizer, options))
        opened._store = open_store(settings, Identity.of(made, key), key is not None)
        return opened

    @classmethod
    def load(cls, path: "str | os.PathLike[str]") -> "SeenSet":
        """Return a set in memory with the options, the key and the URLs of one that `save` wrote.

        Raises `SeenError` with code `SEEN_CORRUPT` for other bytes, `SEEN_MISMATCH` for a file of another release,
        and `SET_FULL` without memory.
        """
        from ._saved_set import read_set

        saved = read_set(path)
        seen = cls(normalizer=Normalizer(plan=saved.plan), bits=saved.bits, key=saved.key)
        seen._in_memory().fill(saved.fingerprints)
        return seen

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write a set in memory to a file, which `load` reads. A set on disk has its directory: call `sync`.

        The file takes 16 or 8 bytes a URL, and has the key: keep it from whoever picks the URLs. It replaces what
        was at `path` when it is whole. Raises `OptionError` if the set is on disk, and `OSError`.

        >>> from tempfile import TemporaryDirectory
        >>> seen = SeenSet("crawl")
        >>> with TemporaryDirectory() as folder:
        ...     print(seen.add("http://a/"))
        ...     seen.save(f"{folder}/seen")
        ...     print(SeenSet.load(f"{folder}/seen").add("HTTP://A"))
        True
        False
        """
        from ._saved_set import save_set

        memory, plan = self._in_memory(), self._normalizer.plan
        rows = memory.fingerprints()
        self._serve(lambda: save_set(path, plan, self.key, self.bits, rows))

    _store: Store

    def _begin(self, normalizer: Normalizer) -> None:
        self._normalizer = normalizer
        self._bases = Bases(normalizer.plan)
        # Its thread may take it again: a signal handler that waited for its own thread would never end.
        self._lock = threading.RLock()
        self._is_serving = False
        self._is_closed = False
        # Whether an error ended a call, perhaps one of a signal handler in the middle of a change of the kernel.
        self._is_torn = False
        self._process = os.getpid()
        self._kernel = Kernel(normalizer.plan, is_shared=True)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a SeenSet cannot be pickled, because copies would answer apart: "
            "make one in the process that asks, or send URLs to that process"
        )

    def __enter__(self) -> "SeenSet":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # Asks nothing of the kernel, which may be in the middle of a call, or of another process.
        kind = "in memory" if isinstance(self._store, MemoryStore) else "on disk"
        closed = ", closed" if self._is_closed else ""
        return f"<SeenSet {kind}, {self.bits} bits, {self._normalizer!r}{closed}>"

    @property
    def normalizer(self) -> Normalizer:
        """Return the normalizer of the set."""
        return self._normalizer

    @property
    def key(self) -> bytes:
        """Return the key of the set's fingerprints, 16 bytes.

        Keep it secret: who knows it can make the set drop a page.
        """
        return self._store.key

    @property
    def bits(self) -> int:
        """Return how many bits of a fingerprint tell two URLs apart: 128 or 64, and 80 on disk."""
        return self._store.bits

    @property
    def capacity(self) -> int:
        """Return how many URLs a set in memory has room for before its table grows."""
        return self._serve(self._in_memory().capacity)

    def __len__(self) -> int:
        return self._serve(self._store.size)

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
        resolved against `base`. A set on disk has recorded them when it answers. Raises `SeenError`, with code
        `SET_FULL` without memory for all; some rows may be in the set then.
        """
        return self._ask(batch, base, True)

    def has_batch(self, batch: Any, base: Text | None = None) -> Any:
        """Ask for URLs without adding them. Return a byte a row: 1 if it is in the set, else as `add_batch`."""
        return self._ask(batch, base, False)

    def _ask(self, batch: Any, base: Text | None, adds: bool) -> Any:
        rows = read_batch(batch)
        return rows.codes(
            self._on_base(base, lambda: self._store.answers(self._kernel, rows, adds))
        )

    def _on_base(self, base: Text | None, answer: Callable[[], T]) -> T:
        """Serve a call whose URLs are resolved against a base."""
        base_url = b"" if base is None else self._bases.resolve(base)

        def on_base() -> T:
            if self._is_torn:
                self._kernel.restore()
            self._is_torn = True
            self._kernel.set_base(base_url)
            answered = answer()
            self._is_torn = False
            return answered

        return self._serve(on_base)

    def reserve(self, count: int) -> None:
        """Make room in memory for `count` URLs in all, so that the set grows in fewer steps.

        Raises `SET_FULL` without memory, and `BAD_OPTION` if the set is on disk.
        """
        memory = self._in_memory()
        self._serve(lambda: memory.reserve(count))

    def enqueue_batch(
        self,
        batch: Any,
        base: Text | None = None,
        *,
        payload: "Literal['url'] | Sequence[bytes] | None" = None,
    ) -> int:
        """Take URLs to answer later, as a set on disk does. Return the number of the first row.

        Rows of all calls are numbered in their order, also from one process to the next. Rows before `durable_row` of
        `stats` survive a power cut; keep the others, or call `sync`. With `payload`, the set keeps bytes with each row
        and gives them back: its own text, or yours. Raises `BAD_OPTION` if the set is in memory, and what `add_batch`
        raises.
        """
        disk, rows = self._on_disk(), read_batch(batch)
        return self._on_base(base, lambda: disk.enqueue_batch(self._kernel, rows, payload))

    def drain(self) -> Iterator[DrainedPiece]:
        """Answer the rows of `enqueue_batch`, in the order in which they came, some thousand rows a piece.

        When you have kept what is new, call `commit` of the piece: pieces that were not committed come again when the
        set is opened next, with the same row numbers and answers. A queue that skips the row numbers it has gets each
        new URL once. Raises what `enqueue_batch` raises.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as path, SeenSet.open(path, store="disk", immediate=False) as seen:
        ...     row = seen.enqueue_batch(["http://a/", "http://A", "x"], payload="url")
        ...     for piece in seen.drain():
        ...         print(piece.row, list(piece.answers), piece.payloads)
        ...         piece.commit()
        0 [1, 0, 3] [b'http://a/', b'http://A', b'x']
        """
        disk = self._on_disk()
        pieces = disk.pieces(self._serve(disk.answer))
        while (piece := self._serve(lambda: next(pieces, None))) is not None:
            after = piece.row + len(piece.answers)
            yield DrainedPiece(*piece, self._commit(disk, after))

    def _commit(self, disk: "DiskStore", row: int) -> Callable[[], None]:
        return lambda: self._serve(lambda: disk.settle(row))

    def sync(self) -> None:
        """Make all that was added durable. Raise `BAD_OPTION` if the set is in memory."""
        self._serve(self._on_disk().sync)

    def stats(self) -> dict[str, Any]:
        """Describe the set: `store`, `size`, `bits`, `memory_bytes`, and `expected_false_seen`.

        The last is the expected number of new URLs that were answered as seen. A set on disk also has `stored_bytes`;
        `cut_bytes`, those of unfinished writes that were cut when it was opened; and `next_row`, `durable_row` and
        `settled_row`: rows before them were given, are durable, are committed.
        """
        size, stats = self._serve(lambda: (self._store.size(), self._store.stats()))
        false_seen = size * max(0, size - 1) / 2 ** (self.bits + 1)
        return {**stats, "size": size, "bits": self.bits, "expected_false_seen": false_seen}

    def close(self) -> None:
        """Make all URLs durable and let go of the directory. From then on, other calls raise `SEEN_CLOSED`.

        Called again, also by another thread, it returns when the first call has ended.
        """
        self._serve(self._close, lambda: None)

    def _close(self) -> None:
        self._is_closed = True
        self._store.close()

    def _in_memory(self) -> MemoryStore:
        if isinstance(self._store, MemoryStore):
            return self._store
        raise OptionError("BAD_OPTION", "capacity, reserve and save are of sets in memory")

    def _on_disk(self) -> "DiskStore":
        if not isinstance(self._store, MemoryStore):
            return cast("DiskStore", self._store)
        raise OptionError(
            "BAD_OPTION",
            'enqueue_batch, drain and sync need a set on disk: SeenSet.open(path, store="disk")',
        )

    def _serve(self, answer: Callable[[], T], if_closed: Callable[[], T] = _refuse) -> T:
        """Serve one call at a time, in the process that made the set. A closed set answers by `if_closed`."""
        if os.getpid() != self._process:
            # A thread that only the parent has may hold the lock here forever.
            if self._is_closed:
                return if_closed()
            raise SeenError(
                "SEEN_FAILED",
                "the set belongs to the process that this one was forked from, and copies would "
                "answer apart: make a set after the fork, or ask the parent",
            )
        with self._lock:
            if self._is_closed:
                return if_closed()
            if self._is_serving:
                raise SeenError(
                    "SEEN_FAILED",
                    "the set is in the middle of another call of this thread: a signal handler or a "
                    "finalizer cannot use it then. Let it note the URL, and add it after the call",
                )
            try:
                self._is_serving = True
                return answer()
            finally:
                self._is_serving = False
