"""The store of a set on disk (src/seen/disk/disk-store.ts and open-disk.ts)."""

import os
import re
import shlex
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from .._batches import Batch
from .._errors import KernelError, OptionError, SeenError, UrlmillError
from .._fingerprints import fingerprint_urls
from .._kernel import Kernel
from .._memory_store import answers_of_rows
from .files import Data
from .finish_runs import finish_runs
from .folder import SetFolder
from .identity import Identity
from .kernel import DiskKernel
from .lock import LOCK_FILE
from .log_stack import LogRoom, LogStack
from .lookups import Lookups
from .manifest import MANIFEST, UNFINISHED_MANIFEST, Manifest
from .merge import Merge
from .partitions import check_files, file_bytes, remove_others
from .payloads import payload_frame, payloads_of, rows_of_frame
from .pending import LoggedRows, Pending
from .pieces import AnsweredRows, read_pieces
from .plan import BATCH, FINGERPRINT, KEY, MemoryPlan
from .row_log import Frame
from .settings import DiskSettings


class DiskStore:
    """Keeps keys of fingerprints in sorted files, and what came since the last merge in logs and in memory.

    After a call of the system fails, or is interrupted, all later calls raise its error. Opened again, the set has all
    that was answered.
    """

    bits = 80

    def __init__(self, settings: DiskSettings, wanted: Identity, is_key_wanted: bool) -> None:
        self._settings = settings
        self._directory = directory = settings.directory
        # The thread that syncs takes its turn among the calls.
        self._turn = threading.Lock()
        self._timer: threading.Timer | None = None
        self._failure: UrlmillError | None = None
        self._unraised: UrlmillError | None = None
        self._is_loaded = False
        self._new_keys = 0
        """Keys that were new since the last merge."""
        # Before any call: a kernel that cannot be made says nothing about the set.
        self._kernel = kernel = DiskKernel()
        with self._call(), ExitStack() as opened:
            self._folder = folder = SetFolder(directory)
            opened.callback(folder.release)
            _refuse_other_stores(directory)
            self._manifest = Manifest.open(folder) or _begin(folder, wanted)
            opened.callback(self._manifest.close)
            made = self._manifest.identity
            made.check(wanted, is_key_wanted, directory)
            self.key = made.key
            check_files(folder, self._manifest.state)
            remove_others(folder, self._manifest.state)
            start = kernel.memoryStart()
            blocks = max(of["blocks"] for of in self._manifest.state["partitions"])
            plan = MemoryPlan(start, settings.memory, settings.is_immediate, blocks)
            self._plan = plan
            self._pending = Pending(kernel, plan)
            self._logs = LogStack(folder, self._manifest)
            opened.callback(self._logs.close)
            self._lookups = Lookups(kernel, plan, folder, self._manifest.set)
            opened.callback(self._lookups.close)
            self._opened = opened.pop_all()

    def answers(self, kernel: Kernel, rows: Batch, adds: bool) -> bytes:
        """Answer for a batch that the kernel normalizes: add its URLs, or ask for them."""
        flat, codes = fingerprint_urls(kernel, rows, self.key)
        ask, step = self.add if adds else self.has, BATCH * FINGERPRINT
        answers = [ask(flat[at : at + step]) for at in range(0, len(flat), step)]
        return answers_of_rows(codes, b"".join(answers))

    def add(self, fingerprints: Data) -> bytes:
        """Add at most BATCH fingerprints. Return a byte for each: 1 if it was not there."""
        with self._call():
            self._ready_to_answer()
            pending = self._pending
            count = pending.cut(fingerprints)
            if not pending.has_table_room_for(count):
                self._merge()
                pending.cut(fingerprints)
            pending.add_to_tables(count)
            self._lookups.find(count, self._manifest.state)
            answers = pending.answers(count)
            self._logs.append_added(pending.new_keys(count))
            self._new_keys += answers.count(1)
            self._sync_as_asked()
            return answers

    def has(self, fingerprints: Data) -> bytes:
        """Return a byte for each fingerprint: 1 if it is there."""
        with self._call():
            self._ready_to_answer()
            count = self._pending.cut(fingerprints)
            self._pending.ask_tables(count)
            self._lookups.find(count, self._manifest.state)
            return self._pending.answers(count).translate(_INVERSE)

    def enqueue_batch(self, kernel: Kernel, rows: Batch, payload: object) -> int:
        """Take a batch to answer later. Return the number of its first row."""
        payloads = payloads_of(rows, payload)
        flat, codes = fingerprint_urls(kernel, rows, self.key)
        if payloads is not None and len(payloads) != len(codes):
            raise OptionError(
                "BAD_OPTION", f"payload: there are {len(payloads)} for {len(codes)} URLs"
            )
        return self.enqueue(flat, codes, payloads)

    def enqueue(self, fingerprints: Data, status: bytes, payloads: "Sequence[bytes] | None") -> int:
        """Add rows to answer later: the fingerprints of those that are URLs. Return the number of the first."""
        with self._call():
            self._load()
            if len(status) == 0:
                return self._logs.next_row
            first = self._logs.prepare_waiting(payloads is not None)
            keyed = 0
            row = 0
            while row < len(status):
                rows = rows_of_frame(payloads, row)
                codes = status[row : row + rows]
                end = keyed + FINGERPRINT * (codes.count(0) + codes.count(1))
                some = None if payloads is None else payloads[row : row + rows]
                self._enqueue_some(memoryview(fingerprints)[keyed:end], codes, some)
                keyed = end
                row += rows
            self._sync_as_asked()
            return first

    def _enqueue_some(
        self, fingerprints: Data, status: bytes, payloads: "Sequence[bytes] | None"
    ) -> None:
        pending, logs = self._pending, self._logs
        if not pending.has_room_for(len(status)):
            self._merge()
            logs.prepare_waiting(payloads is not None)
        count = pending.cut(fingerprints)
        codes = None if count == len(status) else status
        first = logs.next_row - logs.first_waiting
        frame = Frame(len(status), pending.keys(count), codes)
        logs.append_waiting(frame, None if payloads is None else payload_frame(payloads))
        pending.number_rows(count, codes, first)
        pending.add_to_groups(count)

    def answer(self) -> int:
        """Find the answers of all rows that wait. Return the number after the last."""
        with self._call():
            self._load()
            self._answer_waiting()
            return self._logs.next_row

    def pieces(self, end: int) -> Iterator[AnsweredRows]:
        """Yield answered rows that are not settled and before `end`, in the order in which they came."""
        row = self._manifest.state["settled"]
        while True:
            found = self._logs.answered_from(row)
            if found is None or found.state["firstRow"] >= end:
                return
            end_of_log = found.state["firstRow"] + (found.state["rows"] or 0)
            pieces = read_pieces(self._kernel, self._plan, found, row)
            # When all are settled, the log is gone.
            while self._manifest.state["settled"] < end_of_log:
                with self._call():
                    piece = next(pieces, None)
                if piece is None:
                    break
                yield piece
            row = end_of_log

    def settle(self, row: int) -> None:
        """Settle all rows before `row`: they do not come again."""
        with self._call():
            self._logs.settle(row)

    def sync(self) -> None:
        """Make all durable that was added."""
        with self._call():
            self._logs.sync()

    def size(self) -> int:
        """Count the keys."""
        with self._call():
            self._load()
            return self._manifest.keys() + self._new_keys

    def stats(self) -> dict[str, Any]:
        """Describe the store."""
        with self._call():
            self._load()
            logs, state = self._logs, self._manifest.state
            return {
                "store": "disk",
                "memory_bytes": self._kernel.size,
                "stored_bytes": sum(map(file_bytes, state["partitions"])) + logs.length,
                "cut_bytes": logs.cut_bytes,
                "next_row": logs.next_row,
                "durable_row": logs.durable_row,
                "settled_row": state["settled"],
            }

    def close(self) -> None:
        """Make all durable and release the directory. Raise an error of the background that no call has raised."""
        with self._turn:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        with self._opened:
            if self._failure is None:
                with self._call():
                    self._logs.complete()
        if self._unraised is not None:
            raise self._unraised

    def _ready_to_answer(self) -> None:
        """Make ready for `add` and `has`: no row waits."""
        if not self._settings.is_immediate:
            raise OptionError(
                "BAD_OPTION",
                "add and has need a set that was opened with immediate=True: "
                "enqueue_batch and drain answer later",
            )
        self._load()
        self._answer_waiting()

    def _answer_waiting(self) -> None:
        """Merge what only a merge can answer: rows that wait, and keys in groups, where lookups do not find them."""
        if self._logs.waiting > 0 or self._pending.group_rows > 0:
            self._merge()

    def _load(self) -> None:
        """Read the logs that an earlier process left, once. The next merge goes on with one that it began."""
        if not self._is_loaded:
            self._is_loaded = True
            room = LogRoom(self._pending.most_keys_of_log, self._make_room_for)
            self._logs.load(self._take_logged, room)

    def _make_room_for(self, keys: float) -> bool:
        """Make room for a log of keys that were answered. Return False if they do not all fit in empty memory."""
        pending, is_immediate = self._pending, self._settings.is_immediate
        if pending.has_room_for_log(keys, is_immediate):
            return True
        if pending.is_empty:
            return False
        self._merge()
        return pending.has_room_for_log(keys, is_immediate)

    def _take_logged(self, rows: LoggedRows) -> None:
        count = self._pending.take(rows)
        is_answered = rows.first is None
        if is_answered:
            self._new_keys += count
        taken = len(rows.keys) // KEY
        is_for_tables = is_answered and self._settings.is_immediate
        if is_for_tables and self._pending.has_table_room_for(count, taken):
            self._pending.add_to_tables(count, taken)
            return
        if not self._pending.has_room_for(count):
            raise SeenError(
                "SET_FULL",
                f"{self._directory} has more rows that wait than fit in memory: "
                "open it with the memory that it had, and immediate=False, and drain it",
            )
        self._pending.add_to_groups(count)

    def _merge(self) -> None:
        """Merge all that is in memory into the partitions."""
        lookups = self._lookups if self._settings.is_immediate else None
        merge = Merge(self._folder, self._manifest, self._kernel, self._plan)
        merge.run(self._pending, self._logs, lookups)
        self._pending.clear()
        self._new_keys = 0

    def _sync_as_asked(self) -> None:
        if self._settings.fsync == "batch":
            self._logs.sync()
        if self._settings.fsync == "second" and self._timer is None:
            timer = threading.Timer(1, self._sync_in_background)
            timer.daemon = True
            try:
                timer.start()
            except RuntimeError:  # no more threads: at the end of the interpreter, or by a limit
                self._logs.sync()
            else:
                self._timer = timer

    def _sync_in_background(self) -> None:
        with self._turn:
            if self._timer is None or self._failure is not None:
                return
            self._timer = None
            try:
                self._logs.sync()
            except Exception as error:
                self._failure = self._unraised = self._failed(error)  # the next call raises it

    @contextmanager
    def _call(self) -> Iterator[None]:
        """Run a call. After one that failed in the system, found damage or was interrupted, all raise its error."""
        with self._turn:
            if self._failure is not None:
                self._unraised = None
                raise self._failure.with_traceback(None)
            try:
                yield
            except OptionError:
                raise
            except KernelError as error:
                # It stops at keys that no fingerprints have, such as thousands that begin alike.
                self._failure = SeenError(
                    "SEEN_CORRUPT", f"{self._directory} holds keys that are not of fingerprints"
                )
                raise self._failure from error
            except BaseException as error:
                self._failure = self._failed(error)
                if isinstance(error, OSError):
                    raise self._failure from error
                raise

    def _failed(self, error: BaseException) -> UrlmillError:
        if isinstance(error, UrlmillError):
            return error
        if isinstance(error, OSError):
            return SeenError("SEEN_FAILED", f"{self._directory}: {error.strerror}")
        return SeenError(
            "SEEN_FAILED",
            f"{self._directory}: a call was interrupted by {error!r}: close the set and open it again",
        )


def open_store(settings: DiskSettings, wanted: Identity, is_key_wanted: bool) -> DiskStore:
    """Open the store in a directory, or begin one, with the keys of runs whose output is in place."""
    at_once = settings._replace(is_immediate=True)
    finish_runs(
        settings.directory, wanted.profile_id, lambda: DiskStore(at_once, wanted, is_key_wanted)
    )
    return DiskStore(settings, wanted, is_key_wanted)


def read_identity(directory: str) -> Identity | None:
    """Return what the set in a directory was made with; None if there is no set on disk.

    Raise `SEEN_LOCKED` if another process has it open, and `SEEN_CORRUPT`.
    """
    if not os.path.lexists(os.path.join(directory, MANIFEST)):
        return None
    with ExitStack() as opened:
        folder = SetFolder(directory)
        opened.callback(folder.release)
        if (manifest := Manifest.open(folder)) is None:
            return None
        manifest.close()
        return manifest.identity


def other_store(directory: str) -> str | None:
    """Say what a directory is that holds a set of another kind and none on disk; None for any other."""
    if os.path.lexists(os.path.join(directory, MANIFEST)):
        return None
    found = (
        spoken for _, head, spoken in _OTHERS if os.path.lexists(os.path.join(directory, head))
    )
    return next(found, None)


def _refuse_other_stores(directory: str) -> None:
    """Raise `SEEN_CORRUPT` if a directory holds a set of another kind: one would not know what the other is told."""
    for store, head, spoken in _OTHERS:
        if not os.path.lexists(os.path.join(directory, head)):
            continue
        if not os.path.lexists(os.path.join(directory, MANIFEST)):
            raise SeenError("SEEN_CORRUPT", f"{directory} is {spoken}, not a set on disk")
        raise SeenError(
            "SEEN_CORRUPT",
            f"{directory} holds {spoken} and a set on disk, as a conversion leaves them that was interrupted: "
            f"urlmill seen convert {shlex.quote(directory)} --store {store} or disk keeps that one",
        )


def _begin(folder: SetFolder, wanted: Identity) -> Manifest:
    """Begin a set in a folder without other files."""
    for name in folder.names():
        if name in (LOCK_FILE, UNFINISHED_MANIFEST) or _OF_SYSTEM.fullmatch(name):
            continue
        raise SeenError(
            "SEEN_CORRUPT",
            f"{folder.path} holds {name} and no {MANIFEST}: give a directory of the set's own",
        )
    return Manifest.begin(folder, wanted)


_OF_SYSTEM = re.compile(
    r"\.DS_Store|\._.*|desktop\.ini|thumbs\.db|\.nfs\w+|\.fuse_hidden\w+", re.IGNORECASE
)
"""Matches the names of files that a system puts into folders by itself: macOS, Windows, NFS, FUSE."""
_OTHERS = (("journal", "set.json", "a journal"), ("lmdb", "data.mdb", "a set in LMDB"))
"""Names the other kinds of sets, the file that makes a directory one of them, and what it is for people."""
_INVERSE = bytes([1, 0]) + bytes(254)
"""Translates answers of `add` to those of `has`."""
