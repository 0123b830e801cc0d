"""Files of Parquet from three writers keep all types and values, as three readers see them, in both commands."""

import json
import os
import random
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from test_command import node, python

from urlmill._cli import main, parquet
from urlmill._cli.hand_over import Unsupported

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pc = pytest.importorskip("pyarrow.compute")

SEEDS = range(60 if os.environ.get("URLMILL_LONG") == "1" else 4)
URLS = ["HTTP://A/", "http://a/", "http://b/?x=1", "HTTP://B/?x=1", "x y", "", None]
CALLS = [
    ["normalize"],
    ["normalize", "--emit", "both"],
    ["normalize", "--on-error", "empty"],
    ["dedupe"],
    ["dedupe", "--emit", "both"],
    ["dedupe", "--emit", "normalized"],
    ["dedupe", "--keep", "last", "--emit", "both"],
    ["dedupe", "--keep", "max:id"],
]
OF_NODE = [["dedupe", "-c"], ["dedupe", "-c", "--keep", "last", "--emit", "both"], ["dedupe", "-d"]]
ADDED = {"both": "normalized_url", "-c": "count"}
ZONES = (None, "UTC", "Europe/Berlin")
UNITS = ("s", "ms", "us", "ns")
NUMBERS = [
    *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32()),
    *(pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.bool_(), pa.date32()),
    *(pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")),
    *(pa.timestamp(unit, zone) for unit in UNITS for zone in ZONES),
    *(pa.duration(unit) for unit in UNITS),
    *(pa.decimal32(6, 2), pa.decimal64(12, 2), pa.decimal128(20, 2), pa.decimal256(50, 2)),
]
TEXTS = [
    *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()),
    *(pa.binary_view(), pa.dictionary(pa.int8(), pa.string())),
    *(pa.dictionary(pa.int32(), pa.large_string(), ordered=True), pa.json_()),
]
OTHERS = [pa.null(), pa.date64(), pa.binary(3), pa.uuid(), pa.bool8()]
TYPES = [*NUMBERS, *TEXTS, *OTHERS]


OF_DUCKDB = {
    **{"TINYINT": "-7", "UBIGINT": "18446744073709551615", "DOUBLE": "0.1", "BOOLEAN": "true"},
    **{"VARCHAR": "'\u00e4\"'", "BLOB": "'\\xAA\\x00'::BLOB", "DECIMAL(9, 2)": "-1234567.89"},
    **{"UUID": "'00112233-4455-6677-8899-aabbccddeeff'", "DATE": "'1969-12-31'"},
    **{"TIMESTAMPTZ": "'2026-11-28 01:02:03.456789+02'", "TIME": "'23:59:59.999999'"},
    **{"TIMESTAMP_NS": "'2026-11-28 01:02:03.456789012'", "TIMETZ": "'01:02:03+04:30'"},
    **{"INTEGER[]": "[1, NULL, 3]", "STRUCT(a INTEGER)": "{'a': 1}", "JSON": "'{\"a\": [1]}'"},
    **{"INTERVAL": "INTERVAL 1 DAY"},
}
"""A value in SQL of each type of DuckDB."""


def values_of(rng: random.Random, kind: Any, count: int, nulls: float) -> Any:
    """Return an array of a type, some of whose values are null."""
    empty = [rng.random() < nulls for _ in range(count)]
    numbers = [None if null else rng.randint(0, 99) for null in empty]
    if kind == pa.null():
        return pa.nulls(count)
    if kind == pa.date64():
        days = [None if each is None else 86_400_000 * each for each in numbers]
        return pa.array(days, pa.int64()).view(kind)
    if kind in (pa.uuid(), pa.bool8()):
        return pa.ExtensionArray.from_storage(kind, values_of(rng, kind.storage_type, count, nulls))
    if pa.types.is_fixed_size_binary(kind):
        width = kind.byte_width
        return pa.array([None if each is None else bytes([each] * width) for each in numbers], kind)
    if kind in TEXTS:
        texts = pa.array([None if each is None else f'"{each}"' for each in numbers], pa.string())
        if pa.types.is_dictionary(kind):
            coded = texts.cast(kind.value_type).dictionary_encode()
            parts = coded.indices.cast(kind.index_type), coded.dictionary
            return pa.DictionaryArray.from_arrays(*parts, ordered=kind.ordered)
        if isinstance(kind, pa.BaseExtensionType):
            return pa.ExtensionArray.from_storage(kind, texts)
        return texts.cast(kind)
    if pa.types.is_temporal(kind):
        if kind.bit_width == 32:
            return pa.array(numbers, pa.int32()).view(kind)
        # Old versions of the format have no nanoseconds.
        return pc.multiply(pa.array(numbers, pa.int64()), 1000).view(kind)
    return pa.array(numbers, pa.int64()).cast(pa.int8()).cast(kind)


def nested(rng: random.Random, count: int, nulls: float) -> Any:
    """Return an array of lists, maps or structs of other types."""
    kind = rng.choice([each for each in TYPES if each not in OTHERS and each != pa.json_()])
    shape = rng.randrange(5)
    if shape == 0:
        return pa.StructArray.from_arrays([values_of(rng, kind, count, nulls)], ["a"])
    if shape == 1:
        return pa.FixedSizeListArray.from_arrays(values_of(rng, kind, 2 * count, nulls), 2)
    ends = [0]
    for _ in range(count):
        ends.append(ends[-1] + (0 if rng.random() < nulls else rng.randint(0, 3)))
    items = values_of(rng, kind, ends[-1], nulls)
    if shape == 2:
        return pa.MapArray.from_arrays(
            ends, pa.array(map(str, range(ends[-1])), pa.string()), items
        )
    return (pa.ListArray if shape == 3 else pa.LargeListArray).from_arrays(ends, items)


def by_pyarrow(rng: random.Random, path: Path) -> None:
    count = rng.choice([1, 2, 9, 40])
    kind = rng.choice([pa.string(), pa.large_string(), pa.string_view()])
    columns = {"id": pa.array(range(count)), "url": pa.array(rng.choices(URLS, k=count), kind)}
    for at in range(6):
        nulls = rng.choice([0, 0.2, 1, 1])
        is_nested = rng.random() < 0.25
        kind = rng.choice(TYPES)
        column = nested(rng, count, nulls) if is_nested else values_of(rng, kind, count, nulls)
        columns[f"c{at}"] = column
    write = partial(
        pq.write_table,
        pa.table(columns, metadata={"made": "for a test"}),
        path,
        compression=rng.choice(["none", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        data_page_version=rng.choice(["1.0", "2.0"]),
        use_dictionary=rng.random() < 0.6,
        write_page_checksum=rng.random() < 0.3,
        version=rng.choice(["1.0", "2.4", "2.6"]),
        allow_truncated_timestamps=True,
    )
    try:
        write(row_group_size=rng.choice([1, 3, 1000]))
    except pa.ArrowNotImplementedError:  # pyarrow does not slice string views inside others
        write()


def by_polars(rng: random.Random, path: Path) -> None:
    pl = pytest.importorskip("polars")
    count = rng.choice([1, 2, 9, 40])
    kinds = [
        *(pl.Int8, pl.UInt64, pl.Float32, pl.Boolean, pl.String, pl.Binary, pl.Date, pl.Null),
        *(pl.Duration("ms"), pl.Datetime("us", "Europe/Berlin"), pl.Categorical, pl.Time),
        *(pl.Enum(["1", "2"]), pl.List(pl.Int32), pl.Decimal(9, 2)),
    ]
    columns = {"id": pl.Series(range(count)), "url": pl.Series(rng.choices(URLS, k=count))}
    columns["url"] = columns["url"].cast(pl.String)
    for at, kind in enumerate(rng.sample(kinds, 5)):
        nulls = rng.choice([0, 0.2, 1, 1])
        numbers = [None if rng.random() < nulls else rng.randint(1, 2) for _ in range(count)]
        series = pl.Series([None] * count if kind == pl.Null else numbers, dtype=pl.Int64)
        is_text = kind in (pl.String, pl.Binary, pl.Categorical) or isinstance(kind, pl.Enum)
        series = series.cast(pl.String) if is_text else series
        if kind == pl.List(pl.Int32):
            series = pl.Series([None if each is None else [each] * each for each in numbers])
        columns[f"c{at}"] = series.cast(kind)
    codecs = ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"]
    size = rng.choice([1, 3, 1000])
    pl.DataFrame(columns).write_parquet(path, compression=rng.choice(codecs), row_group_size=size)


def by_duckdb(rng: random.Random, path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    chosen = rng.sample(list(OF_DUCKDB.items()), 4)
    columns = ["id BIGINT", "url VARCHAR"]
    columns += [f"c{at} {kind}" for at, (kind, _) in enumerate(chosen)]
    values = [f"if(random() < 0.8, {value}, NULL)" for _, value in chosen]
    codec = rng.choice(["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"])
    version, size = rng.choice(["V1", "V2"]), rng.choice([1, 3, 1000])
    with duckdb.connect() as base:
        base.execute(f"CREATE TABLE t ({', '.join(columns)})")
        rows = [(at, rng.choice(URLS)) for at in range(rng.choice([1, 2, 9, 40]))]
        base.execute(f"SELECT setseed({rng.random()})")
        base.executemany(f"INSERT INTO t VALUES (?, ?, {', '.join(values)})", rows)
        form = f"FORMAT parquet, CODEC {codec}, PARQUET_VERSION {version}, ROW_GROUP_SIZE {size}"
        base.execute(f"COPY t TO '{path}' ({form})")


Read = tuple[dict[str, str], dict[Any, list[str]]]


def as_pyarrow(path: Path) -> Read:
    table = pq.read_table(path)
    # A null is not a value of Python in all types.
    types = {field.name: f"{field.type} {field.nullable}" for field in table.schema}
    return types, by_id(table.column_names, [column.to_pylist() for column in nanos(table)])


def nanos(table: Any) -> list[Any]:
    """Return columns; those whose values Python cannot hold as numbers."""
    kinds = pa.types
    exact = [kinds.is_timestamp, kinds.is_duration, kinds.is_time64]
    return [
        column.combine_chunks().view(pa.int64())
        if any(each(column.type) for each in exact)
        else column
        for column in table.columns
    ]


def as_polars(path: Path) -> Read:
    pl = pytest.importorskip("polars")
    try:
        frame = pl.read_parquet(path)
    except pl.exceptions.PanicException as error:
        raise ValueError(str(error)) from None
    types = {name: str(kind) for name, kind in frame.schema.items()}
    return types, by_id(frame.columns, [frame[name].to_list() for name in frame.columns])


def as_duckdb(path: Path) -> Read:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        found = base.execute(f"DESCRIBE FROM read_parquet('{path}')").fetchall()
        types = {name: kind for name, kind, *_ in found}
        rows = base.execute(f"FROM read_parquet('{path}')").fetchall()
        return types, by_id(list(types), list(zip(*rows, strict=True)) or [[] for _ in types])


def by_id(names: list[str], columns: list[Any]) -> dict[Any, list[str]]:
    rows = zip(*columns, strict=True)
    return {row[names.index("id")]: [repr(value) for value in row] for row in rows}


def check(read: Callable[[Path], Read], before: Path, after: Path, call: list[str]) -> None:
    """Fail if a reader that reads a file finds other types or values in the columns of what a call made of it."""
    try:
        types, rows = read(before)
    except Exception:
        return
    found, kept = read(after)
    added = [name for word, name in ADDED.items() if word in call]
    names = list(types)
    assert list(found) == names + added
    assert {name: found[name] for name in names} == types
    is_new = (call[0] == "normalize" and "both" not in call) or "normalized" in call
    others = [at for at, name in enumerate(names) if name != "url" or not is_new]
    for number, row in kept.items():
        assert [row[at] for at in others] == [rows[number][at] for at in others]
    assert call[0] == "dedupe" or list(kept) == list(rows)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("write", [by_pyarrow, by_polars, by_duckdb])
def test_types_and_values_stay(write: Callable[..., None], seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{write.__name__} {seed}")
    before, after = tmp_path / "a.parquet", tmp_path / "b.parquet"
    write(rng, before)
    both = rng.sample(CALLS, 3)
    runs = [(node, call) for call in [*both, rng.choice(OF_NODE)]] + [(python, both[0])]
    for command, call in runs:
        done = command(*call, str(before), "-o", str(after), cwd=tmp_path)
        if command is python and b"the command of Python has no" in done.stderr:
            assert done.returncode == 2
            continue
        assert done.returncode == 0, (call, done.stderr)
        for read in (as_pyarrow, as_polars, as_duckdb):
            check(read, before, after, call)


def test_dates_of_64_bits_are_handed_over(tmp_path: Path) -> None:
    dates = pa.array([[86_400_000]], pa.list_(pa.date64()))
    pq.write_table(pa.table({"url": ["http://a/"], "d": dates}), tmp_path / "a.parquet")
    done = python("dedupe", "a.parquet", "-o", "b.parquet", cwd=tmp_path)
    assert done.returncode == 2
    assert b"has no type date64, which column d of a.parquet has" in done.stderr
    assert not (tmp_path / "b.parquet").exists()
    assert node("dedupe", "a.parquet", "-o", "b.parquet", cwd=tmp_path).returncode == 0
    stored = [pq.read_metadata(tmp_path / f"{name}.parquet").metadata for name in "ab"]
    assert stored[0] == stored[1]


@pytest.mark.parametrize("years", [(1678, 2261), (1960, 9999), (1, 2000)])
def test_timestamps_of_96_bits_are_handed_over_if_64_do_not_hold_them(
    years: tuple[int, int], tmp_path: Path
) -> None:
    times = pa.array([datetime(year, 1, 2, 3, 4, 5, 678901) for year in years], pa.timestamp("us"))
    table = pa.table({"url": ["HTTP://A", "x"], "t": pa.ListArray.from_arrays([0, 1, 2], times)})
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, use_deprecated_int96_timestamps=True)
    call = ["normalize", "a.parquet", "-o", "b.parquet"]
    for each in (node, python):
        done = each(*call, cwd=tmp_path)
        if each is python and years != (1678, 2261):
            what = b"a timestamp before 1678 or after 2261 in 96 bits, which a.parquet has"
            assert b"the command of Python has no " + what in done.stderr
            assert done.returncode == 2
            return
        assert done.returncode == 0
        with pq.ParquetFile(tmp_path / "b.parquet", coerce_int96_timestamp_unit="us") as written:
            assert written.read()["t"].cast(table["t"].type).equals(table["t"])


def test_a_type_that_pyarrow_does_not_write_is_named(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        text = f"COPY (SELECT 'x' AS url, INTERVAL 1 DAY AS i) TO '{tmp_path / 'a.parquet'}'"
        base.execute(text)
    done = python("dedupe", "a.parquet", "-o", "b.parquet", cwd=tmp_path)
    assert done.returncode == 2
    assert b"has no type Interval, which column i of a.parquet has" in done.stderr
    assert not (tmp_path / "b.parquet").exists()


def test_a_column_that_is_there_already_is_not_added(tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": ["x"], "normalized_url": ["y"]}), tmp_path / "a.parquet")
    call = ["normalize", "--emit", "both", "a.parquet", "-o", "b.parquet"]
    given, expected = (each(*call, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stderr) == (expected.returncode, expected.stderr)


@pytest.mark.parametrize(
    "other",
    [
        pa.table({"url": ["x"], "n": [1]}),
        pa.table({"n": [1], "url": ["x"]}),
        pa.table({"url": [b"x"]}),
        pa.table({"url": ["x"]}, pa.schema([pa.field("url", pa.string(), nullable=False)])),
    ],
    ids=["another column", "another order", "another type", "without nulls"],
)
@pytest.mark.parametrize("call", [["normalize"], ["dedupe"], ["dedupe", "--keep", "last"]])
def test_files_with_other_columns_do_not_become_one(
    call: list[str], other: Any, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"url": ["HTTP://a"]}), tmp_path / "a.parquet")
    pq.write_table(other, tmp_path / "b.parquet")
    arguments = [*call, "a.parquet", "b.parquet", "-o", "/dev/stdout"]
    given, expected = (each(*arguments, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stderr) == (expected.returncode, expected.stderr)
    assert (given.returncode, given.stdout) == (2, b"")


def test_types_that_only_pyarrow_tells_apart_are_left_to_node(tmp_path: Path) -> None:
    for name, kind in (("a", pa.string()), ("b", pa.large_string())):
        pq.write_table(pa.table({"url": pa.array(["x"], kind)}), tmp_path / f"{name}.parquet")
    done = python("normalize", "a.parquet", "b.parquet", "-o", "c.parquet", cwd=tmp_path)
    assert done.returncode == 2
    assert b"has no output for b.parquet and a.parquet, which have other types" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/fd")
@pytest.mark.parametrize("call", [["dedupe"], ["dedupe", "--keep", "last"]])
def test_rows_that_were_written_to_a_descriptor_are_not_written_again_by_node(
    call: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def unsupported(self: Any, *_: Any) -> Any:
        raise Unsupported("reader of it")

    pq.write_table(pa.table({"url": ["HTTP://a"]}), tmp_path / "a.parquet")
    monkeypatch.setattr(parquet._Table, "write", unsupported)
    with open(tmp_path / "b.parquet", "wb") as file:
        output = f"/dev/fd/{file.fileno()}"
        assert main([*call, str(tmp_path / "a.parquet"), "-o", output]) == 1
    assert f"no reader of it; {output} is incomplete" in capsys.readouterr().err


@pytest.mark.parametrize("urls", [pa.nulls(2), pa.array([1, 2]), pa.array([1.5, 2])])
@pytest.mark.parametrize("call", [["normalize"], ["dedupe"], ["dedupe", "--keep", "last"]])
def test_urls_that_are_not_text_are_refused(call: list[str], urls: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": urls}), tmp_path / "a.parquet")
    arguments = [*call, "a.parquet", "-o", "b.parquet"]
    given, expected = (each(*arguments, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stderr) == (expected.returncode, expected.stderr)
    assert (given.returncode, b"holds only nulls" in given.stderr) == (2, urls.null_count == 2)


SOME_URLS = pa.array(["HTTP://a/", "http://a", None])
IN_STRUCT = pa.StructArray.from_arrays([SOME_URLS], ["url"])


@pytest.mark.parametrize("call", [["normalize"], ["dedupe", "--field", "id", "--keep", "max:no"]])
def test_columns_that_a_flag_can_name_are_listed(call: list[str], tmp_path: Path) -> None:
    lists, half = pa.array([["http://a"], []]), pa.array([0, 1], pa.float16())
    columns = {"p": lists, "half": half, "id": ["a", "b"], "n": [1, 2]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    pq.write_table(pa.table({"p": lists, "half": half}), tmp_path / "b.parquet")
    for name in ("a.parquet", "b.parquet"):
        arguments = [*call, name, "-o", "c.parquet"]
        given, expected = (each(*arguments, cwd=tmp_path) for each in (python, node))
        assert (given.returncode, given.stderr) == (expected.returncode, expected.stderr)
        if name == "a.parquet":
            names = b": id, n\n" if "--keep" in call else b": id\n"
            assert given.stderr.endswith(b" names one of" + names)
        else:
            assert given.stderr.endswith(b"; no other has one text a row\n")


@pytest.mark.parametrize("call", [["normalize"], ["normalize", "--emit", "both"], ["dedupe"]])
def test_a_column_with_a_dot_in_its_name_is_read(call: list[str], tmp_path: Path) -> None:
    pq.write_table(pa.table({"p": [1, 2, 3], "p.url": SOME_URLS}), tmp_path / "a.parquet")
    tables = []
    for each in (python, node):
        done = each(*call, "--field", "p.url", "a.parquet", "-o", "b.parquet", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        tables.append(pq.read_table(tmp_path / "b.parquet").to_pydict())
    assert tables[0] == tables[1]


@pytest.mark.parametrize("call", [["normalize"], ["dedupe"], ["dedupe", "--keep", "last"]])
def test_urls_in_a_struct_are_left_to_node(call: list[str], tmp_path: Path) -> None:
    pq.write_table(pa.table({"p": IN_STRUCT}), tmp_path / "a.parquet")
    arguments = [*call, "--field", "p.url", "a.parquet", "-o", "b.parquet"]
    done = python(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert b'has no reader of a.parquet, whose column "p.url" is in a struct' in done.stderr
    assert not (tmp_path / "b.parquet").exists()
    assert node(*arguments, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("flags", [["--field", "p.url"], ["--field", "id", "--keep", "max:p.url"]])
@pytest.mark.parametrize("names", [["p", "p.url"], ["p.url", "p.url"]])
def test_two_columns_of_one_name_are_refused(
    flags: list[str], names: list[str], tmp_path: Path
) -> None:
    columns = [IN_STRUCT if name == "p" else SOME_URLS for name in names]
    table = pa.Table.from_arrays([*columns, SOME_URLS], names=[*names, "id"])
    pq.write_table(table, tmp_path / "a.parquet")
    arguments = ["dedupe", *flags, "a.parquet", "-o", "b.parquet"]
    given, expected = (each(*arguments, cwd=tmp_path) for each in (python, node))
    said = b'urlmill: a.parquet has two columns "p.url"; rename one first\n'
    assert (given.returncode, given.stderr) == (2, said)
    assert (expected.returncode, expected.stderr) == (2, said)


@pytest.mark.parametrize(
    ("field", "p"),
    [("p.b", {"a": "x"}), ("p.list.element.a", [{"a": "x"}]), ("p.a", {"a": 1})],
    ids=["not there", "in a list", "not text"],
)
def test_a_column_that_cannot_be_read_is_named(field: str, p: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"p": [p]}), tmp_path / "a.parquet")
    arguments = ["normalize", "--field", field, "a.parquet", "-o", "b.parquet"]
    given, expected = (each(*arguments, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stderr) == (expected.returncode, expected.stderr)
    assert given.returncode == 2


@pytest.mark.parametrize(
    "call", [["dedupe"], ["normalize"], ["normalize", "--on-error", "fail"]], ids=" ".join
)
@pytest.mark.parametrize("urls", [["http://a", "x"], ["http://a", "x", "http://1.2.3.256/"]])
def test_messages_speak_of_rows(call: list[str], urls: list[str], tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": urls}), tmp_path / "a.parquet", row_group_size=1)
    given, expected = (
        each(*call, "a.parquet", "-o", "b.parquet", cwd=tmp_path) for each in (python, node)
    )
    said = expected.stderr.replace(b"; --errors FILE lists them, --stats counts them", b"")
    assert given.stderr == said.replace(b", and the output is not written", b"")


def test_the_schema_of_spark_gets_the_column(tmp_path: Path) -> None:
    key = b"org.apache.spark.sql.parquet.row.metadata"
    field = {"name": "url", "type": "string", "nullable": True, "metadata": {}}
    metadata = {key: json.dumps({"type": "struct", "fields": [field]})}
    table = pa.table({"url": ["HTTP://a"]}).replace_schema_metadata(metadata)
    pq.write_table(table, tmp_path / "a.parquet")
    for each in (python, node):
        each("normalize", "--emit", "both", "a.parquet", "-o", "b.parquet", cwd=tmp_path)
        found = json.loads(pq.read_metadata(tmp_path / "b.parquet").metadata[key])
        assert found["fields"] == [field, {**field, "name": "normalized_url"}]


def not_utf8(*texts: bytes) -> Any:
    return pa.array(texts).view(pa.string())


WITHOUT_URL = {
    "not UTF-8": not_utf8(b"\xff", b"\xff", b"\xfe"),
    "not UTF-8 in a list": pa.ListArray.from_arrays([0, 1, 2, 3], not_utf8(b"\xff", b"\xff", b"")),
    "years of six digits": pa.array([10**18, 10**18, 10**17], pa.timestamp("us")),
    "dates of six digits": pa.array([10**8, 10**8, 10**7], pa.int32()).view(pa.date32()),
    "fields of one name": pa.StructArray.from_arrays(
        [pa.array([1, 1, 2]), pa.array([3, 3, 3])], names=["a", "a"]
    ),
}


@pytest.mark.parametrize("name", WITHOUT_URL)
@pytest.mark.parametrize("flags", [[], ["--keep", "last"]], ids=["first", "last"])
def test_rows_without_a_url_are_compared_by_values_that_python_has_not(
    flags: list[str], name: str, tmp_path: Path
) -> None:
    urls = not_utf8(b"x\xff", b"x\xff", b"x\xff")
    pq.write_table(pa.table({"url": urls, "value": WITHOUT_URL[name]}), tmp_path / "a.parquet")
    for each in (python, node):
        done = each("dedupe", *flags, "a.parquet", "-o", "b.parquet", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert pq.read_metadata(tmp_path / "b.parquet").num_rows == 2


def test_two_other_columns_of_one_name_are_both_compared(tmp_path: Path) -> None:
    columns = [pa.array(["x", "x", "x"]), pa.array([1, 2, 1]), pa.array([3, 3, 3])]
    pq.write_table(pa.Table.from_arrays(columns, ["url", "c", "c"]), tmp_path / "a.parquet")
    for each in (python, node):
        assert each("dedupe", "a.parquet", "-o", "b.parquet", cwd=tmp_path).returncode == 0
        assert pq.read_metadata(tmp_path / "b.parquet").num_rows == 2


@pytest.mark.parametrize(
    "values",
    [
        not_utf8(b"a\xff", b"b\xff", b"a\xfe"),
        pa.array([b"a" * 16, b"b" * 16, b"a" * 16], pa.uuid()),
        pa.array(["1", "2", "1"], pa.json_()),
    ],
    ids=["not UTF-8", "uuid", "json"],
)
def test_rows_are_chosen_by_any_text(values: Any, tmp_path: Path) -> None:
    table = pa.table({"url": ["http://a", "HTTP://A", "http://a/"], "value": values})
    pq.write_table(table, tmp_path / "a.parquet")
    for each in (python, node):
        call = ["dedupe", "--keep", "max:value", "a.parquet", "-o", "b.parquet"]
        assert each(*call, cwd=tmp_path).returncode == 0
        assert pq.read_table(tmp_path / "b.parquet")["url"].to_pylist() == ["HTTP://A"]
