"""The files of partitions: blocks, the lines of a filter, an index (src/seen/disk/files/partition-files.ts)."""

import math
import re

from .._errors import SeenError
from .files import stat_own
from .folder import SetFolder
from .manifest import UNFINISHED_MANIFEST
from .plan import BLOCK, ENTRY, LINE
from .row_log import log_number
from .state import PartitionState, State


def partition_name(partition: int, generation: int) -> str:
    """Return the name of a file."""
    return f"p{partition:03}.{generation}"


def file_bytes(state: PartitionState) -> int:
    """Return how long a file is."""
    return state["blocks"] * (BLOCK + ENTRY) + state["lines"] * LINE


def check_files(folder: SetFolder, state: State) -> None:
    """Raise `SEEN_CORRUPT` if a file is missing, or is not as long as it was written."""
    for partition, of in enumerate(state["partitions"]):
        if of["generation"] == 0:
            continue
        name = folder.path_of(partition_name(partition, of["generation"]))
        found = stat_own(name)
        if found is None:
            raise SeenError("SEEN_CORRUPT", f"{name} is missing")
        if found.st_size != file_bytes(of):
            raise SeenError(
                "SEEN_CORRUPT", f"{name} has {found.st_size} bytes, not {file_bytes(of)}"
            )


def remove_others(folder: SetFolder, state: State) -> None:
    """Remove files of a set that are not of its state: a run that ended left them."""
    for name in folder.names():
        if _is_left_over(name, state):
            folder.remove(name)


def _is_left_over(name: str, state: State) -> bool:
    found = re.fullmatch(r"p(\d{3})\.(\d+)", name)
    if found is not None:
        partition, generation = int(found[1]), int(found[2])
        return partition > 255 or state["partitions"][partition]["generation"] != generation
    number = log_number(name)
    if number is not None:
        return all(log["number"] != number for log in state["logs"])
    return name == UNFINISHED_MANIFEST


def damaged_block(name: str, block: int) -> SeenError:
    """Make the error of a damaged block."""
    return SeenError("SEEN_CORRUPT", f"{name} is damaged: block {block}, at byte {block * BLOCK}")


def distance_bytes(keys: int) -> int:
    """Return the bytes that a distance takes, so that nearly all of `keys` fit."""
    bits = 72 - math.log2(max(keys, 1)) + 3.5
    return min(9, max(1, math.ceil(bits / 8)))


def lines_for(keys: int, most_bytes: int) -> int:
    """Return how many lines a filter has: ten bits a key, or fewer; none if that is less than four."""
    lines = math.ceil(keys * 10 / (8 * LINE))
    most = most_bytes // LINE
    if lines <= most:
        return lines
    return 0 if most * LINE * 8 / keys < 4 else most
