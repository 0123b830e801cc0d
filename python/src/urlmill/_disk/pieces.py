"""Answers of rows that waited, read from a log that is merged (src/seen/disk/files/pieces.ts)."""

from collections.abc import Iterator
from typing import NamedTuple

from .._status import Status
from .kernel import DiskKernel
from .log_stack import OpenLog
from .payloads import PIECE, read_payloads
from .plan import BATCH, COUNTERS, WINDOW, MemoryPlan
from .row_log import Frame, RowLog, no_frame

_ROWS_OF_BYTE = [bytes(byte >> bit & 1 for bit in range(8)) for byte in range(256)]
_ERRORS = bytes(code if code > Status.CHANGED else 0 for code in range(256))


class AnsweredRows(NamedTuple):
    """Holds rows in the order in which they came, with their answers."""

    row: int
    answers: bytes
    payloads: "list[bytes] | None"


def read_pieces(
    kernel: DiskKernel, plan: MemoryPlan, open_log: OpenLog, row: int
) -> Iterator[AnsweredRows]:
    """Read the answers of a log from a row on."""
    log, state = open_log
    bits = _read_new(kernel, plan, log, state["rows"] or 0)
    payloads = read_payloads(log) if state["hasPayloads"] else None
    next_row = 0
    begin, answers, texts, size = state["firstRow"], bytearray(), list[bytes](), 0
    for block in log.blocks("log"):
        if next_row == state["rows"]:
            break  # what comes after was not whole: it is not part of the log
        frame = Frame.decode(block, log.path_of("log"))
        given = [] if payloads is None else next(payloads, [])
        if payloads is not None and len(given) != frame.rows:
            raise no_frame(log.path_of("payload"))
        is_full = len(answers) + frame.rows > BATCH or size >= PIECE
        if answers and is_full:
            yield AnsweredRows(begin, bytes(answers), None if payloads is None else texts)
        if (answers and is_full) or not answers:
            begin, answers, texts, size = state["firstRow"] + next_row, bytearray(), [], 0
        if state["firstRow"] + next_row + frame.rows > row:
            answers += _answers(frame, bits, next_row)
            texts += given
            size += sum(map(len, given))
        next_row += frame.rows
    if answers:
        yield AnsweredRows(begin, bytes(answers), None if payloads is None else texts)


def _answers(frame: Frame, bits: bytearray, first: int) -> bytes:
    """Return the answers of a frame whose first row in the log is `first`."""
    end = first + frame.rows
    rows = b"".join([_ROWS_OF_BYTE[byte] for byte in bits[first >> 3 : (end + 7) >> 3]])
    new = rows[first & 7 : (first & 7) + frame.rows]
    if frame.status is None:
        return new
    # A row that is not a URL is never new.
    errors = frame.status.translate(_ERRORS)
    both = int.from_bytes(new, "little") | int.from_bytes(errors, "little")
    return both.to_bytes(frame.rows, "little")


def _read_new(kernel: DiskKernel, plan: MemoryPlan, log: RowLog, rows: int) -> bytearray:
    """Return a bit for each row of a log: whether it is new."""
    bits = bytearray()
    while 8 * len(bits) < rows:
        first = 8 * len(bits)
        some = min(8 * COUNTERS, rows - first)
        length = (some + 7) >> 3
        kernel.write(plan.counters, bytes(length))
        for block in log.blocks("new"):
            if len(block) % 4 != 0:
                raise no_frame(log.path_of("new"))
            for at in range(0, len(block), WINDOW):
                numbers = block[at : at + WINDOW]
                kernel.write(plan.input, numbers)
                kernel.markRows(plan.input, len(numbers) >> 2, first, some, plan.counters)
        bits += kernel.view(plan.counters, length)
    return bits
