"""Folders of sets that somebody else has made, and folders that are moved."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from urlmill import SeenError, SeenSet
from urlmill._disk.block_file import _HEADER, _MAGIC
from urlmill._disk.manifest import _NUMBER
from urlmill._disk.plan import KEY
from urlmill._disk.row_log import PARTS
from urlmill._disk.spread import Spread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
MEMORY = 1 << 24
SECRET = b"what the victim has"


def url_of(number: int) -> str:
    return f"http://example.org/page/{number}"


def opened(path: Path) -> SeenSet:
    return SeenSet.open(path, store="disk", memory=MEMORY)


def make_set(path: Path) -> Path:
    """Make a set with files of every sort."""
    with opened(path) as seen:
        seen.add_batch([url_of(number) for number in range(3)])
        seen.enqueue_batch([url_of(number) for number in range(2, 5)], payload="url")
        list(seen.drain())
        seen.enqueue_batch(["x", *map(url_of, range(4, 7))], payload="url")
    return path


def use_all(path: Path) -> "str | None":
    """Do all that reads and writes the files of a set. Return the code of the error; None if there was none."""
    try:
        with opened(path) as seen:
            seen.add_batch([url_of(number) for number in range(9)])
            for piece in seen.drain():
                piece.commit()
    except SeenError as error:
        return error.code
    return None


TRAPS: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda victim, place: place.symlink_to(victim),
    "a link that leads nowhere": lambda victim, place: place.symlink_to(f"{victim}.new"),
    "a hard link": lambda victim, place: place.hardlink_to(victim),
    "a pipe": lambda _, place: os.mkfifo(place),
}


@pytest.mark.parametrize("what", TRAPS)
def test_no_file_of_a_set_may_be_another_one(tmp_path: Path, what: str) -> None:
    made, path, victim = make_set(tmp_path / "made"), tmp_path / "set", tmp_path / "victim"
    for file in made.iterdir():
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(made, path)
        victim.unlink(missing_ok=True)
        # The victim has the bytes of the file, so that nothing else is wrong with it.
        shutil.move(path / file.name, victim)
        TRAPS[what](victim, path / file.name)
        # What is only read may have another name, as in a backup by hard links.
        may_be = what == "a hard link" and file.name[0] == "p" and file.name[1] != "a"
        assert (file.name, use_all(path)) == (file.name, None if may_be else "SEEN_CORRUPT")
        assert victim.read_bytes() == file.read_bytes()
        assert not Path(f"{victim}.new").exists()


@pytest.mark.parametrize("name", ["manifest.new", "log.9", "p000.7"])
@pytest.mark.parametrize("what", ["a link", "a hard link"])
def test_what_is_left_over_is_unlinked(tmp_path: Path, name: str, what: str) -> None:
    path, victim = make_set(tmp_path / "set"), tmp_path / "victim"
    victim.write_bytes(SECRET)
    TRAPS[what](victim, path / name)
    assert use_all(path) is None
    assert victim.read_bytes() == SECRET
    assert not (path / name).exists()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_set_whose_folder_was_moved_writes_no_more(tmp_path: Path, is_there: bool) -> None:
    path, moved = make_set(tmp_path / "set"), tmp_path / "moved"
    seen = opened(path)
    seen.add_batch([url_of(number) for number in range(10, 13)])
    path.rename(moved)
    if is_there:
        make_set(path)
    before = {file.name: file.read_bytes() for file in path.glob("*")}
    with pytest.raises(SeenError, match=r"^SEEN_FAILED: .* was moved or replaced"):
        seen.enqueue_batch([url_of(20)])
    seen.close()
    assert {file.name: file.read_bytes() for file in path.glob("*")} == before
    with opened(moved) as again:
        assert list(again.add_batch([url_of(10), url_of(12), url_of(30)])) == [0, 0, 1]


def blocks_of(number: int, contents: "list[bytes]") -> bytes:
    """Return a file of blocks, whose checksums are right."""
    file = b""
    for at, content in enumerate(contents):
        begin = _HEADER.pack(_MAGIC, number, at, len(content), crc32(content), len(file), 0)[:-4]
        file += begin + crc32(begin).to_bytes(4, "little") + content
    return file


def contents_of(file: bytes) -> "list[bytes]":
    contents, at = [], 0
    while at < len(file):
        length = _HEADER.unpack_from(file, at)[3]
        contents.append(file[at + _HEADER.size :][:length])
        at += _HEADER.size + length
    return contents


PARTITION = {"generation": 1, "keys": 1, "blocks": 1, "lines": 0, "checksum": "0" * 32}
LOG = {
    "number": 9,
    "kind": "waiting",
    "firstRow": 0,
    "rows": None,
    "durable": [0, 0, 0],
    "hasPayloads": False,
    "merged": [],
}
DEEP = "[" * 100_000 + "]" * 100_000
WRONG: list[Any] = [
    None,
    "x",
    [],
    7,
    {"partitions": {"0": PARTITION}},
    {"partitions": [None]},
    {"partitions": [[PARTITION]]},
    {"partitions": [[256, PARTITION]]},
    {"partitions": [[10**9, PARTITION]]},
    {"partitions": [[-1, PARTITION]]},
    {"partitions": [[True, PARTITION]]},
    {"partitions": [[0, {**PARTITION, "generation": "x/../../victim"}]]},
    {"partitions": [[0, {**PARTITION, "blocks": 10**9}]]},
    {"partitions": [[0, {**PARTITION, "lines": 10**12}]]},
    {"partitions": [[0, {**PARTITION, "keys": 0.5}]]},
    {"partitions": [[0, {**PARTITION, "checksum": None}]]},
    {"logs": "x"},
    {"logs": [None]},
    {"logs": [{**LOG, "kind": "other"}]},
    {"logs": [{**LOG, "number": "x/../../victim"}]},
    {"logs": [{**LOG, "number": 1000}]},
    {"logs": [{**LOG, "rows": -1}]},
    {"logs": [{**LOG, "rows": 2**60}]},
    {"logs": [{**LOG, "durable": [0, 0]}]},
    {"logs": [{**LOG, "hasPayloads": 1}]},
    {"logs": [{**LOG, "merged": [300]}]},
    {"logs": [{**LOG, "merged": None}]},
    {"logs": [{**LOG, "kind": "added", "rows": 1}]},
    {"logs": [LOG, LOG]},
    {"logsMade": -1},
    {"logsMade": 0},
    {"settled": None},
]


@pytest.mark.parametrize("change", WRONG, ids=str)
def test_a_manifest_that_no_set_has_is_refused(tmp_path: Path, change: Any) -> None:
    path, victim = make_set(tmp_path / "set"), tmp_path / "victim"
    victim.write_bytes(SECRET)
    manifest = path / "manifest"
    beginning, state = contents_of(manifest.read_bytes())[:2]
    record = {"logsMade": 20, **change} if isinstance(change, dict) else change
    manifest.write_bytes(blocks_of(_NUMBER, [beginning, state, json.dumps(record).encode(), b"{}"]))
    assert use_all(path) == "SEEN_CORRUPT"
    assert victim.read_bytes() == SECRET


@pytest.mark.parametrize("record", [b"", b"{", b"\xff", DEEP.encode(), b"NaN"])
def test_a_record_that_is_not_json_is_refused(tmp_path: Path, record: bytes) -> None:
    path = make_set(tmp_path / "set")
    manifest = path / "manifest"
    beginning, state = contents_of(manifest.read_bytes())[:2]
    for records in ([beginning, state, record, b"{}"], [beginning, record], [record, state]):
        manifest.write_bytes(blocks_of(_NUMBER, records))
        assert use_all(path) == "SEEN_CORRUPT"


@pytest.mark.parametrize(
    "change",
    [
        {"format": "urlmill seen set"},
        {"version": 2},
        {"version": "1"},
        {"set": "1"},
        {"set": 2**32},
        {"identity": {}},
        {"identity": "{"},
        {"identity": DEEP},
        {"identity": "null"},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_beginning_that_no_set_has_is_refused(tmp_path: Path, change: "dict[str, Any]") -> None:
    path = make_set(tmp_path / "set")
    manifest = path / "manifest"
    beginning, state = contents_of(manifest.read_bytes())[:2]
    changed = json.dumps({**json.loads(beginning), **change}).encode()
    manifest.write_bytes(blocks_of(_NUMBER, [changed, state, b"{}"]))
    assert use_all(path) == "SEEN_CORRUPT"


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("log", bytes(4)),
        ("log", words(1, 9, 0, 0, 0)),
        ("log", words(10**9, 1, 0, 0, 0)),
        ("log", words(1, 4 * 10**9)),
        ("log", words(90_000, 90_000) + bytes(900_000)),
        ("log", words(1, 0, 0, 0, 0)),
        ("payload", bytes(4)),
        ("payload", words(4, 10**9, 0)),
        ("payload", words(4, 1, 9)),
        ("payload", words(4, 1, 0, 0)),
        ("new", bytes(7)),
    ],
)
def test_a_log_that_no_set_has_is_refused(tmp_path: Path, part: str, content: bytes) -> None:
    path = make_set(tmp_path / "set")
    manifest = path / "manifest"
    beginning, text = contents_of(manifest.read_bytes())[:2]
    state = json.loads(text)
    number = next(log["number"] for log in state["logs"] if log["rows"] is not None)
    for log in state["logs"]:
        log["durable"] = [0, 0, 0]
    manifest.write_bytes(blocks_of(_NUMBER, [beginning, json.dumps(state).encode(), b"{}"]))
    own = json.loads(beginning)["set"]
    block_number = own ^ ((3 * number + PARTS.index(part) + 1) * 0x9E3779B1 & 0xFFFFFFFF)
    (path / f"{part}.{number}").write_bytes(blocks_of(block_number, [content]))
    assert use_all(path) == "SEEN_CORRUPT"


def test_keys_that_were_chosen_to_lie_together_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set"
    with opened(path) as seen:
        seen.add(url_of(0))
    beginning, text = contents_of((path / "manifest").read_bytes())[:2]
    (log,) = json.loads(text)["logs"]
    keys = b"".join(row.to_bytes(8, "little") + b"\7\7" for row in range(1, 60_001))
    own = json.loads(beginning)["set"] ^ ((3 * log["number"] + 1) * 0x9E3779B1 & 0xFFFFFFFF)
    (path / f"log.{log['number']}").write_bytes(blocks_of(own, [words(0, 60_000) + keys]))
    assert use_all(path) == "SEEN_CORRUPT"


def test_keys_of_many_frames_are_counted_in_linear_time() -> None:
    def time_of(frames: int) -> float:
        spread, begun = Spread(frames, "log.1"), time.process_time()
        for row in range(frames):
            spread.add(row.to_bytes(KEY, "big"))
        return time.process_time() - begun

    # A quadratic count takes 64 times as long for 8 times the frames.
    assert time_of(16_000) < 32 * min(time_of(2000) for _ in range(3))


def test_keys_that_lie_together_are_refused_in_frames_of_their_own_too() -> None:
    spread = Spread(1000, "log.1")
    with pytest.raises(SeenError, match=r"^SEEN_CORRUPT: log\.1 .* begin alike"):
        for row in range(1000):
            spread.add(row.to_bytes(KEY - 2, "little") + b"\7\7")
