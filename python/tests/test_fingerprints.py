"""Fingerprints of batches."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from urlmill import Normalizer, OptionError
from urlmill._kernel import Kernel

KEY = bytes(range(16))
ROWS = ["HTTP://A", None, "http://b/", "nothing", "http://a/"]

n = Normalizer("crawl")


def test_fingerprints_are_those_of_node(urls: list[str], node: Callable[..., bytes]) -> None:
    program = (
        'import { createNormalizer } from "./dist/index.js";'
        'import { readFileSync } from "node:fs";'
        "const key = Uint8Array.from({ length: 16 }, (_, at) => at);"
        'const n = createNormalizer({ preset: "crawl" });'
        'const { fingerprints } = n.fingerprintBatch(JSON.parse(readFileSync(0, "utf8")), { key });'
        'process.stdout.write(Buffer.from(fingerprints).toString("hex"));'
    )
    del node  # skips where there is no Node
    from conftest import ROOT

    rows = urls[:2000]
    command = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(
        command, input=json.dumps(rows).encode(), cwd=ROOT, capture_output=True, check=True
    )
    keys, status = n.fingerprint_batch(rows, KEY)
    flat = b"".join(bytes(16) if key is None else key for key in keys)
    assert flat.hex() == done.stdout.decode()
    assert max(status) > 1


def test_line_keys_are_those_of_node(node: Callable[..., bytes]) -> None:
    program = (
        'import { createNormalizer } from "./dist/index.js";'
        'import { readFileSync } from "node:fs";'
        "const key = Uint8Array.from({ length: 16 }, (_, at) => at);"
        'const n = createNormalizer({ preset: "crawl" });'
        "const take = ({ fingerprints }) =>"
        '  process.stdout.write(Buffer.from(fingerprints).toString("hex"));'
        "n.normalizeWindows(readFileSync(0), true, { key, texts: true }, take);"
    )
    del node  # skips where there is no Node
    from conftest import ROOT

    rows = ["x", "", "HTTP://A", " x ", b"\xff", "\u00e9", "http://a b/", "a\rb", "x"]
    lines = b"".join((row if isinstance(row, bytes) else row.encode()) + b"\n" for row in rows)
    command = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(command, input=lines, cwd=ROOT, capture_output=True, check=True)
    assert b"".join(n.line_keys(rows, KEY)).hex() == done.stdout.decode()


def test_line_keys_are_the_same_for_each_kind_of_batch() -> None:
    pa = pytest.importorskip("pyarrow")
    rows = ["x", None, "http://a", "", "x", "y" * 2_000_000]
    expected = n.line_keys(rows, KEY)
    assert [key is None for key in expected] == [False, True, False, False, False, True]
    assert expected[0] == expected[4]
    assert expected[2] == n.fingerprint_batch(rows, KEY).fingerprints[2]
    for column in (pa.array(rows), pa.array(rows).dictionary_encode(), pa.chunked_array([rows])):
        assert n.line_keys(column, KEY).to_pylist() == expected


def test_equal_urls_have_equal_keys_and_errors_have_none() -> None:
    keys, status = n.fingerprint_batch(ROWS, KEY)
    assert (keys[0], keys[1], keys[3]) == (keys[4], None, None)
    assert keys[0] != keys[2]
    assert list(status) == [1, 14, 0, 3, 0]


def test_64_bits_are_the_first_half() -> None:
    whole = n.fingerprint_batch(ROWS, KEY).fingerprints
    half = n.fingerprint_batch(ROWS, KEY, bits=64).fingerprints
    assert half == [None if key is None else key[:8] for key in whole]


def test_each_kind_of_batch_has_the_same_keys() -> None:
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for bits in (64, 128):
        expected = n.fingerprint_batch(ROWS, KEY, bits).fingerprints
        batches: list[Any] = [
            tuple(ROWS),
            np.array(ROWS, object),
            pd.Series(ROWS),
            pd.Series(ROWS, dtype="category"),
            pl.Series(ROWS),
            pa.array(ROWS),
            pa.array(ROWS, pa.large_string()),
            pa.array(ROWS, pa.string_view()),
            pa.array(ROWS).dictionary_encode(),
            pa.chunked_array([ROWS[:2], ROWS[2:]]),
        ]
        for batch in batches:
            keys = n.fingerprint_batch(batch, KEY, bits).fingerprints
            rows = keys.to_pylist() if hasattr(keys, "to_pylist") else list(keys)
            assert [None if row is pd.NA else row for row in rows] == expected, type(batch)
        assert n.fingerprint_batch(pa.array(ROWS), KEY, bits).fingerprints.type == pa.binary(
            bits // 8
        )


def test_rows_longer_than_a_window_do_not_void_the_key() -> None:
    long = "http://a/" + "b" * 600_000
    keys = n.fingerprint_batch(["http://a/", long, "http://a/", b"http://a/"], KEY).fingerprints
    assert keys[0] == keys[2] == keys[3] == n.fingerprint_batch(["http://a/"], KEY).fingerprints[0]


def test_without_a_key_that_of_the_normalizer_is_taken() -> None:
    assert n.fingerprint_batch(ROWS) == n.fingerprint_batch(ROWS, n.fingerprint_key)
    assert n.fingerprint_key != Normalizer("crawl").fingerprint_key


@pytest.mark.parametrize(
    ("key", "bits"), [(b"short", 128), ("x" * 16, 128), (KEY, 32), (KEY, "64")]
)
def test_other_keys_and_bits_are_refused(key: Any, bits: Any) -> None:
    with pytest.raises(OptionError, match=r"^BAD_OPTION: (key|bits): must be"):
        n.fingerprint_batch(ROWS, key, bits)


def test_a_base_resolves_references_and_leaves_nulls() -> None:
    keys, status = n.fingerprint_batch(["", None, "b"], KEY, base="http://a/")
    assert keys == n.fingerprint_batch(["http://a/", None, "http://a/b"], KEY).fingerprints
    assert list(status) == [1, 14, 1]


def count_fingerprinted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets, from now on, how many rows each call of the kernel fingerprints."""
    counts: list[int] = []
    fingerprint = Kernel.fingerprint

    def counting(kernel: Kernel, rows: int, ending: int, texts: bool = False) -> memoryview:
        counts.append(rows)
        return fingerprint(kernel, rows, ending, texts)

    monkeypatch.setattr(Kernel, "fingerprint", counting)
    return counts


@pytest.mark.parametrize("bits", [64, 128])
def test_each_value_of_a_dictionary_is_fingerprinted_once(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    pa = pytest.importorskip("pyarrow")
    rows = [*ROWS, "http://b/"] * 100
    column = pa.array(rows).dictionary_encode()
    chunks = pa.chunked_array([column, column.slice(7, 300), column.slice(0, 0)])
    expected = n.fingerprint_batch([*rows, *rows[7:307]], KEY, bits)
    counts = count_fingerprinted(monkeypatch)
    keys, status = n.fingerprint_batch(chunks, KEY, bits)
    assert sum(counts) == len(column.dictionary)
    assert keys.to_pylist() == expected.fingerprints
    assert status.to_pylist() == list(expected.status)


def test_values_of_a_dictionary_that_no_row_has_are_not_fingerprinted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pa = pytest.importorskip("pyarrow")
    rows = [f"http://h/{row}" for row in range(1000)]
    few = pa.array(rows).dictionary_encode().slice(500, 3)
    expected = n.fingerprint_batch(rows[500:503], KEY).fingerprints
    counts = count_fingerprinted(monkeypatch)
    assert n.fingerprint_batch(few, KEY).fingerprints.to_pylist() == expected
    assert sum(counts) == 3


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "uint64"])
def test_dictionaries_with_nulls_have_the_keys_of_their_rows(kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    dictionary = pa.array(["http://a", None, "x", ""], pa.large_string())
    places = pa.array([0, 1, None, 2, 3, 0, None], getattr(pa, kind)())
    column = pa.DictionaryArray.from_arrays(places, dictionary)
    rows = ["http://a", None, None, "x", "", "http://a", None]
    for base in (None, "http://b/"):
        expected = n.fingerprint_batch(rows, KEY, base=base)
        keys, status = n.fingerprint_batch(column, KEY, base=base)
        assert keys.to_pylist() == expected.fingerprints
        assert status.to_pylist() == list(expected.status)


def test_a_dictionary_column_without_chunks_or_rows_has_no_keys() -> None:
    pa = pytest.importorskip("pyarrow")
    kind = pa.dictionary(pa.int32(), pa.string())
    for column in (pa.chunked_array([], kind), pa.array([], kind)):
        keys, status = n.fingerprint_batch(column, KEY)
        assert (len(keys), len(status)) == (0, 0)
