"""The logs of a set (src/seen/disk/files/log-stack.ts)."""

from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .._errors import SeenError
from .files import Data, stat_own
from .folder import SetFolder
from .manifest import Manifest
from .payloads import FrameCounter
from .pending import LoggedRows
from .plan import KEY
from .row_log import PARTS, Frame, RowLog, log_name
from .spread import Spread
from .state import LogState

TakeRows = Callable[[LoggedRows], None]


class OpenLog(NamedTuple):
    """Holds a log of the state whose files are open."""

    log: RowLog
    state: LogState


class LogRoom(NamedTuple):
    """Says which logs of keys that were answered fit in memory."""

    most_keys: int
    """The most keys of a log that fits in empty memory."""
    make: Callable[[float], bool]
    """Makes room for a log of so many keys. Returns False if they do not all fit in empty memory."""


class LogStack:
    """Keeps a log of rows that were answered at once, and those of rows that wait for an answer."""

    def __init__(self, folder: SetFolder, manifest: Manifest) -> None:
        self._folder = folder
        self._manifest = manifest
        self._logs: dict[int, RowLog] = {}
        # The log that takes more rows, of each kind.
        self._added: RowLog | None = None
        self._waiting: RowLog | None = None
        self.next_row = manifest.state["settled"]
        """The number that the next row gets."""
        self.durable_row = self.next_row
        """The number of the first row that is not durable."""
        self.cut_bytes = 0

    @property
    def length(self) -> int:
        """Count the bytes of all logs."""
        return sum(log.length for log in self._logs.values())

    @property
    def waiting(self) -> int:
        """Count the rows that wait for an answer."""
        return self.next_row - self.first_waiting

    @property
    def first_waiting(self) -> int:
        """Return the first row of the logs that are not merged: the numbers of rows in memory begin there."""
        unmerged = self._unmerged()
        return unmerged[0]["firstRow"] if unmerged else self.next_row

    def load(self, take: TakeRows, room: LogRoom) -> None:
        """Read the logs that are there.

        Logs of rows that wait take no more rows: what was not durable may be missing. Nor do those that a merge began
        with: new rows are in none of its partitions. Keys that were answered come before all rows that wait; `room`
        merges those that were read so far where memory is full.
        """
        logs = self._manifest.state["logs"]
        base = self.first_waiting
        for state in filter(_is_added, logs):
            self._load_added(state, take, room)
        waiting = [state for state in logs if not _is_added(state)]
        loaded = [self._load_waiting(self._log_of(state), state, base, take) for state in waiting]
        if loaded != waiting:
            added = filter(_is_added, self._manifest.state["logs"])
            self._manifest.change(logs=[*added, *loaded])
        self.durable_row = self.next_row

    def _log_of(self, state: LogState) -> RowLog:
        log = RowLog(self._folder, self._manifest.set, state["number"])
        self._logs[log.number] = log
        return log

    def _load_added(self, state: LogState, take: TakeRows, room: LogRoom) -> None:
        merged, name = state["merged"] or [], self._folder.path_of(log_name("log", state["number"]))
        found = stat_own(name)
        keys = 0 if found is None else found.st_size / KEY
        if not room.make(keys):
            for part in self._divide(state, room.most_keys * KEY):
                self._load_added(part, take, room)
            return
        log = self._log_of(state)
        spread = Spread(keys, name)

        def take_block(block: bytes) -> None:
            keys = Frame.decode(block, name).keys
            spread.add(keys)
            take(LoggedRows(keys, None, None, merged))

        self.cut_bytes += log.open("log", state, take_block)
        if not merged:
            self._added = log

    def _divide(self, state: LogState, most: int) -> list[LogState]:
        """Put logs of at most so many bytes, or of one frame, in the place of one that was written with more memory."""
        whole = self._log_of(state)
        self.cut_bytes += whole.open("log", state, lambda block: None)
        logs, made = self._manifest.state["logs"], self._manifest.state["logsMade"]
        parts: list[RowLog] = []
        try:
            for frame in whole.blocks("log"):
                if not parts or parts[-1].length + len(frame) > most:
                    number = made + len(parts) + 1
                    parts.append(RowLog(self._folder, self._manifest.set, number))
                    parts[-1].create("log")
                parts[-1].append("log", frame)
            for part in parts:
                part.sync()
        finally:
            for part in parts:
                part.close()
        divided: list[LogState] = [
            {**state, "number": part.number, "durable": part.durable} for part in parts
        ]
        at = logs.index(state)
        changed = [*logs[:at], *divided, *logs[at + 1 :]]
        self._manifest.change(logs=changed, logsMade=made + len(parts))
        self._drop_others()
        return divided

    def _load_waiting(self, log: RowLog, state: LogState, base: int, take: TakeRows) -> LogState:
        """Load rows that wait, as many as have their payloads. Return the state of the log, which takes no more."""
        payloads = FrameCounter(log.path_of("payload"))
        if state["hasPayloads"]:
            self.cut_bytes += log.open("payload", state, payloads.add)
        rows = frames = 0

        def take_block(block: bytes) -> None:
            nonlocal rows, frames
            frame, known = Frame.decode(block, log.path_of("log")), state["rows"]
            has_payloads = not state["hasPayloads"] or frames < payloads.frames
            is_complete = has_payloads if known is None else rows < known
            frames += 1
            if not is_complete:
                return
            if state["merged"] is not None:
                first = state["firstRow"] + rows - base
                take(LoggedRows(frame.keys, frame.status, first, state["merged"]))
            rows += frame.rows

        self.cut_bytes += log.open("log", state, take_block)
        self.next_row = state["firstRow"] + rows
        if state["rows"] is None:
            return self._complete(log, state, rows)
        log.open("new", state, lambda block: None)
        if state["rows"] != rows:
            name = log.path_of("log")
            raise SeenError("SEEN_CORRUPT", f"{name} has {rows} rows, not {state['rows']}")
        return state

    def _complete(self, log: RowLog, state: LogState, rows: int) -> LogState:
        """Return the state of a log that takes no more rows."""
        log.create("new")
        return {**state, "rows": rows, "durable": log.durable}

    def append_added(self, keys: Data) -> None:
        """Append keys that were answered as new."""
        if len(keys) == 0:
            return
        if self._added is None:
            self._added = self._begin("added", False)
        self._added.append("log", Frame(0, keys, None).encode())

    def prepare_waiting(self, has_payloads: bool) -> int:
        """Make sure that a log takes rows that wait. Return the number of the next row."""
        if self._waiting is not None and ("payload" in self._waiting.files) != has_payloads:
            self.complete_waiting()
        if self._waiting is None:
            self._waiting = self._begin("waiting", has_payloads)
        return self.next_row

    def append_waiting(self, frame: Frame, payloads: "bytes | None") -> None:
        """Append rows that wait, their payloads first: rows that are there have theirs."""
        log = self._waiting
        assert log is not None
        if payloads is not None:
            log.append("payload", payloads)
        log.append("log", frame.encode())
        self.next_row += frame.rows

    def complete_waiting(self) -> None:
        """Complete the log that takes rows that wait."""
        log = self._waiting
        if log is None:
            return
        self.sync()
        self._manifest.change(
            logs=[
                self._complete(log, state, self.next_row - state["firstRow"])
                if state["number"] == log.number
                else state
                for state in self._manifest.state["logs"]
            ]
        )
        self._waiting = None

    def sync(self) -> None:
        """Make durable what was appended."""
        for log in (self._added, self._waiting):
            if log is not None:
                log.sync()
        self.durable_row = max(self.durable_row, self.next_row)

    def complete(self) -> None:
        """Make all durable and complete the manifest, so that a later reader knows what is missing."""
        self.sync()
        logs = self._manifest.state["logs"]
        self._manifest.complete([{**state, "durable": self._durable_of(state)} for state in logs])

    def _durable_of(self, state: LogState) -> list[int]:
        log = self._logs.get(state["number"])
        return state["durable"] if log is None else log.durable

    def _unmerged(self) -> list[LogState]:
        """Return the logs of waiting rows that are not merged into all partitions."""
        logs = self._manifest.state["logs"]
        return [log for log in logs if log["kind"] == "waiting" and log["merged"] is not None]

    def append_new(self, numbers: bytes) -> None:
        """Note which of the rows that wait are new. `numbers`: of 32 bits, from the first that waits on."""
        if len(numbers) == 0:
            return
        unmerged = self._unmerged()
        if len(unmerged) == 1:
            self._logs[unmerged[0]["number"]].append("new", numbers)
            return
        base = self.first_waiting
        for state in unmerged:
            first = state["firstRow"] - base
            end = first + (state["rows"] or 0)
            own = array("I", [n - first for n in memoryview(numbers).cast("I") if first <= n < end])
            self._logs[state["number"]].append("new", own.tobytes())

    def states_after(self, partitions: "Iterable[int] | None") -> list[LogState]:
        """Return the states of the logs after some partitions are merged, or all. Make durable what was appended."""
        logs = self._manifest.state["logs"]
        for state in filter(self._is_merging, logs):
            self._logs[state["number"]].sync()
        return [
            self._state_after(state, partitions)
            for state in logs
            if partitions is not None or not _is_added(state) or not self._is_merging(state)
        ]

    def _is_merging(self, state: LogState) -> bool:
        """Say whether rows of a log are being merged. Logs that are not loaded yet stay as they are."""
        return state["merged"] is not None and state["number"] in self._logs

    def _state_after(self, state: LogState, partitions: "Iterable[int] | None") -> LogState:
        if state["merged"] is None or not self._is_merging(state):
            return state
        merged = None if partitions is None else sorted({*state["merged"], *partitions})
        return {**state, "merged": merged, "durable": self._durable_of(state)}

    def drop_added(self) -> None:
        """Remove the logs of rows that were answered at once: all of them are in the partitions."""
        self._added = None
        self._drop_others()

    def answered_from(self, row: int) -> "OpenLog | None":
        """Return the log with the answer of a row, or of the next one that has an answer; None after the last."""
        for state in self._manifest.state["logs"]:
            if _is_answered(state) and _end_of(state) > row:
                return OpenLog(self._logs[state["number"]], state)
        return None

    def settle(self, row: int) -> None:
        """Note that the consumer has all rows before one. Remove logs that nobody needs."""
        settled = max(row, self._manifest.state["settled"])
        logs = self._manifest.state["logs"]
        done = [log for log in logs if _is_answered(log) and _end_of(log) <= settled]
        if not done:
            self._manifest.change(settled=settled)
            return
        self._manifest.change(settled=settled, logs=[log for log in logs if log not in done])
        self._drop_others()

    def close(self) -> None:
        """Close all logs."""
        for log in self._logs.values():
            log.close()

    def _begin(self, kind: str, has_payloads: bool) -> RowLog:
        state = self._manifest.state
        log = RowLog(self._folder, self._manifest.set, state["logsMade"] + 1)
        self._logs[log.number] = log  # `close` closes its files also if what follows fails
        log.create("log", *(["payload"] if has_payloads else []))
        begun = LogState(
            number=log.number,
            kind=kind,
            firstRow=self.next_row,
            rows=None,
            durable=[0, 0, 0],
            hasPayloads=has_payloads,
            merged=[],
        )
        self._manifest.change(logs=[*state["logs"], begun], logsMade=log.number)
        return log

    def _drop_others(self) -> None:
        """Close and remove the files of the logs that the manifest no longer has."""
        kept = {state["number"] for state in self._manifest.state["logs"]}
        for number in [number for number in self._logs if number not in kept]:
            self._logs.pop(number).close()
            for part in PARTS:
                self._folder.remove(log_name(part, number))


def _is_added(state: LogState) -> bool:
    return state["kind"] == "added"


def _is_answered(state: LogState) -> bool:
    return state["kind"] == "waiting" and state["merged"] is None


def _end_of(state: LogState) -> int:
    return state["firstRow"] + (state["rows"] or 0)
