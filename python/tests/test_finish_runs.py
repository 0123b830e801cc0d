"""What other processes do between two steps of ending runs of the command, whose keys are in files of the set."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

from urlmill import Normalizer, SeenError, SeenSet

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
MEMORY = 1 << 24
KEYS = bytes(range(16))
NAME = "run-1-00000000.keys"
RECORD_NAME = f"run-{'0' * 32}.json"


def record_of(name: str = NAME) -> str:
    return json.dumps(
        {
            "version": 1,
            "profileId": Normalizer().profile_id,
            "bits": 128,
            "keys": {"name": name, "bytes": len(KEYS), "checksum": crc32(KEYS)},
            "call": "",
            "inputs": [],
            "outputs": [["out"]],
        }
    )


def count(path: Path) -> int:
    with SeenSet.open(path, store="disk", memory=MEMORY) as seen:
        return len(seen)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the folder of a set with the keys of a run."""
    path = tmp_path / "set"
    assert count(path) == 0
    (path / NAME).write_bytes(KEYS)
    return path


@pytest.fixture
def after_listing(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], None]:
    """Let another process do something after the folder was listed so many times."""
    real, listed = os.listdir, [0]

    def begin(times: int, do: Callable[[], object]) -> None:
        def listdir(folder: str) -> list[str]:
            names = real(folder)
            listed[0] += 1
            if listed[0] == times:
                do()
            return names

        monkeypatch.setattr(os, "listdir", listdir)

    return begin


AfterListing = Callable[[int, Callable[[], object]], None]


def test_keys_of_a_run_that_was_recorded_after_the_listing_are_added(
    path: Path, after_listing: AfterListing
) -> None:
    after_listing(1, lambda: (path / RECORD_NAME).write_text(record_of()))
    assert count(path) == 1
    assert not (path / NAME).exists()


def test_keys_that_another_process_has_added_are_missing_without_an_error(
    path: Path, after_listing: AfterListing
) -> None:
    (path / RECORD_NAME).write_text(record_of())
    other = "run-2-00000000.keys"
    (path / other).write_bytes(KEYS)
    (path / f"run-{'1' * 32}.json").write_text(record_of(other))
    after_listing(1, (path / NAME).unlink)
    # Those of the other run are added.
    assert count(path) == 1
    assert not (path / other).exists()


def test_keys_of_a_dead_run_that_another_process_has_removed_are_missing_without_an_error(
    path: Path, after_listing: AfterListing
) -> None:
    after_listing(1, (path / NAME).unlink)
    assert count(path) == 0


def test_a_record_that_another_process_has_removed_is_missing_without_an_error(
    path: Path, after_listing: AfterListing
) -> None:
    (path / RECORD_NAME).write_text(record_of("run-2-00000000.keys"))
    after_listing(2, (path / RECORD_NAME).unlink)
    assert count(path) == 0
    assert not (path / NAME).exists()


def test_keys_of_a_run_that_goes_on_stay(path: Path) -> None:
    import fcntl

    with open(path / NAME, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert count(path) == 0
        assert (path / NAME).read_bytes() == KEYS
    assert count(path) == 0
    assert not (path / NAME).exists()


def test_keys_that_cannot_be_locked_stay(path: Path, tmp_path: Path) -> None:
    (tmp_path / "other name").hardlink_to(path / NAME)
    assert count(path) == 0
    assert (path / NAME).exists()


def test_a_record_that_is_far_too_long_is_not_read(path: Path) -> None:
    (path / RECORD_NAME).touch()
    os.truncate(path / RECORD_NAME, 1 << 25)
    with pytest.raises(SeenError, match=rf"^SEEN_CORRUPT: .*{RECORD_NAME} .* has {1 << 25} bytes"):
        count(path)
