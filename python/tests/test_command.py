"""The command without Node: its output and exit codes are those of the command of Node."""

import gzip
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlmill import Normalizer, SeenError, SeenSet, Status
from urlmill._cli import main
from urlmill._cli.command import help_text
from urlmill._options.tables import OPTION_NAMES

ROOT = Path(__file__).parents[2]
NODE_COMMAND = ROOT / "dist" / "cli" / "main.js"
LINES = b"HTTP://A\r\nx y\n\nhttp://b/#c\r\nx y\r\nhttp://a\n HTTP://c/?b&a \nHTTP://A"
CSV = (
    b'id,url,n\r\n1,HTTP://A,"a,\nb"\r\n2,"http://a/?x=1,2",c\n3,"x ""y""",\n4,http://a\n5\n6,\n\n'
    b'7,"HTTP://Q",d\n7,http://q/,d\n5\n8,HTTP://Z'
)
JSON = (
    b'{"url": "HTTP://A\\u002f\\u00fc", "n": 1}\n{"n":2,"url":null}\n\n{"url":"http://a/%C3%BC","m":"\\""}\n'
    b'{"a":{"url":"HTTP://Q"}}\nnot json\n{"url":"x \\" y"}\r\n{}\n{ "n" : [1, {"url": 2}] , "url" : "HTTP://z" } \n'
    b'{"url":"x \\" y"}\n{"n":[NaN,-Infinity],"url":"HTTP://Y"}\n{"url":Infinity}\n{"n":-NaN}\n{"url":"http://z/"}'
)
CALLS = [
    ["normalize"],
    ["normalize", "-p", "crawl", "--on-error", "empty"],
    ["normalize", "--emit=both", "--preset", "crawl"],
    ["normalize", "--form", "surt", "-q"],
    ["normalize", "--form", "urlkey", "--emit", "both"],
    ["normalize", "--form", "urlkey-www", "-p", "crawl"],
    ["normalize", "--form", "template", "-p", "crawl"],
    ["dedupe", "--form", "host", "--emit", "both"],
    ["dedupe", "--form", "urlkey"],
    ["dedupe", "--form", "urlkey", "--emit", "both", "--base", "http://www.base/x/y"],
    ["dedupe", "--form", "urlkey-www", "--emit", "normalized"],
    ["normalize", "--on-error", "fail"],
    ["normalize", "--base", "http://base/x/y", "--drop-params", "a, b*"],
    ["dedupe", "-p", "crawl"],
    ["dedupe", "--emit", "both"],
    ["dedupe", "--emit", "normalized", "--default-params", "x=1"],
    ["dedupe", "--base", "http://base/x/y", "--www", "remove"],
]
FEED = b"\n<rss><channel><item><link>HTTP://A</link></item></channel></rss>\n"
LISTS = {"list.txt": LINES, "list.csv": CSV, "list.jsonl": JSON, "e.csv": b"url\n\n\nHTTP://A\n\n"}


def run(command: list[str], cwd: Path, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    return subprocess.run(
        command, cwd=cwd, env=environment, input=data, capture_output=True, check=False
    )


def python(*arguments: str, cwd: Path, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    return run([sys.executable, "-m", "urlmill", *arguments], cwd, data)


def node(*arguments: str, cwd: Path, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    program = shutil.which("node")
    if program is None or not NODE_COMMAND.is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    return run([program, str(NODE_COMMAND), *arguments], cwd, data)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_output_and_exit_code_are_those_of_node(call: list[str], name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(LISTS[name])
    given = python(*call, name, cwd=tmp_path)
    expected = node(*call, name, cwd=tmp_path)
    assert given.stdout == expected.stdout
    assert given.returncode == expected.returncode


def test_real_urls_give_the_bytes_of_node(corpus: bytes, tmp_path: Path) -> None:
    calls = (["normalize", "-p", "crawl"], ["dedupe", "-p", "crawl"])
    keys = (["normalize", "--form", "urlkey"], ["dedupe", "--form", "urlkey"])
    for call in (*calls, *keys):
        given = python(*call, "-", cwd=tmp_path, data=corpus)
        assert given.stdout == node(*call, "-", cwd=tmp_path, data=corpus).stdout


def test_made_up_records_give_the_bytes_of_node(tmp_path: Path) -> None:
    rng = random.Random(39)
    cells = [
        "HTTP://A",
        "http://b/?x=1,2",
        "x",
        "",
        '"a,b"',
        '"HTTP://C/"',
        '"q ""r"" http://"',
        " http://d ",
    ]
    rows = [",".join(rng.choices(cells, k=rng.choice([3, 3, 3, 2, 1]))) for _ in range(3000)]
    (tmp_path / "list.csv").write_text("id,url,n\n" + "\n".join(rows))
    by_number = ["normalize", "--no-header", "--field", "2"]
    for call in [*CALLS, by_number, ["dedupe", *by_number[1:]]]:
        given, expected = (each(*call, "list.csv", cwd=tmp_path) for each in (python, node))
        assert given.stdout == expected.stdout, call


EDGES = {
    "an object after a space": ("a.jsonl", b' {}\n\t{ }\n {"n":1} \n\r{}\n {"url":"HTTP://A"}\n'),
    "a CR after an object": ("a.jsonl", b'{"url":"HTTP://A"} \r\r\n{}\r\r\n'),
    "lines of white space": ("a.jsonl", b" \n{}\n \n\t\v\f\n{}\n \r\n "),
    "white space alone": ("a.jsonl", b" \n \n"),
    "a CR at the end of lines": ("a.txt", b"x\nHTTP://A\nx\r"),
    "a URL and a CR at the end of lines": ("a.txt", b"http://a\nHTTP://A\r"),
    "a CR alone at the end of lines": ("a.txt", b"x\n\n\r"),
    "a CR at the end of csv": ("a.csv", b"url,n\r\nx,1\r\nx,1\r"),
    "a CR after a quote at the end of csv": ("a.csv", b'url\n"http://A"\r'),
    "a CR alone at the end of csv": ("a.csv", b"url\nhttp://A\n\r"),
    "a CR at the end of JSON lines": ("a.jsonl", b'{"url":"HTTP://A"}\r\n{"url":"HTTP://A"}\r'),
}
"""Lists that are read at their edges, with their names."""


@pytest.mark.parametrize("case", EDGES)
def test_white_space_and_line_ends_are_read_as_in_node(case: str, tmp_path: Path) -> None:
    name, data = EDGES[case]
    (tmp_path / name).write_bytes(data)
    for call in (
        ["normalize"],
        ["normalize", "--emit", "both"],
        ["normalize", "--on-error", "fail"],
        ["dedupe"],
        ["dedupe", "--emit", "both"],
        ["dedupe", "--keep", "last"],
    ):
        given, expected = (each(*call, name, cwd=tmp_path) for each in (python, node))
        assert (given.returncode, given.stdout) == (expected.returncode, expected.stdout), call


def test_json_of_any_depth_is_read(tmp_path: Path) -> None:
    lines = [b'{"url":"HTTP://A","n":%s}', b'{"n":%s, "url":"HTTP://A", "b":[%s, {}]}']
    lines += [b'{"url":["HTTP://B", %s]}', b'{"url":"HTTP://Q","n":[%s,]}', b'{"u":%s "url":"q"}']
    deep = [b"[" * 5000 + b"1, null" + b"]" * 5000, b'{"a" :[' * 5000 + b"]} \t" * 5000]
    wrong = [b"[" * 5000 + b"]" * 4999, b"[" * 5000 + b"1 2" + b"]" * 5000]
    wrong += [b'{"a":' * 5000 + b"{,}" + b"}" * 5000, b"{1:" * 5000 + b"2" + b"}" * 5000]
    wrong += [b'{"a"' * 5000 + b"}" * 5000, b'{"a":' * 5000 + b"]" * 5000]
    texts = [line.replace(b"%s", each) for line in lines for each in deep + wrong]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(texts))
    calls: list[list[str]] = [["--emit", "both"], ["--field", "url.0"], ["--on-error", "empty"]]
    for call in calls:
        given, expected = (
            each("normalize", *call, "a.jsonl", cwd=tmp_path) for each in (python, node)
        )
        assert (given.returncode, given.stdout) == (0, expected.stdout)
        assert b"http://" in given.stdout


def test_a_table_without_a_header_needs_the_number_of_its_column(tmp_path: Path) -> None:
    # The last column was taken.
    (tmp_path / "list.csv").write_text("http://a,1\nHTTP://A,2\n")
    done = python("dedupe", "--no-header", "list.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"give the number of one with --field" in done.stderr


def test_the_lines_after_a_quote_that_nothing_closes_are_records(tmp_path: Path) -> None:
    # Each line was searched again with those before it: 300,000 took hours.
    data = b'url\n"http://a/\n' + b"http://b/\n" * 300_000
    done = python("dedupe", "--format", "csv", cwd=tmp_path, data=data)
    assert (done.returncode, done.stdout) == (1, b'url\n"http://a/\nhttp://b/\n')
    assert b"standard input, line 2: a quote opens a field, and no quote closes it" in done.stderr


def test_gzip_is_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfHTTP://A\nhttp://a/\n"))
    done = python("dedupe", "a.gz", "-o", "b.gz", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert gzip.decompress((tmp_path / "b.gz").read_bytes()) == b"HTTP://A\n"
    data = (tmp_path / "a.gz").read_bytes()
    assert python("normalize", cwd=tmp_path, data=data).stdout == b"http://a/\nhttp://a/\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/stdin")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_that_has_a_name_loses_no_bytes_of_its_beginning(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    lines = b"".join(b"http://a/%d\n" % number for number in range(5000))
    for call in (["normalize"], ["dedupe"], ["dedupe", "--keep", "last"]):
        done = python(*call, "/dev/stdin", cwd=tmp_path, data=pack(lines))
        assert (done.returncode, done.stdout) == (0, lines), done.stderr
    zstd = python(
        "normalize", "--format", "lines", "/dev/stdin", cwd=tmp_path, data=b"\x28\xb5\x2f\xfd"
    )
    assert (zstd.returncode, b"/dev/stdin is zstd: unpack it first" in zstd.stderr) == (2, True)


def test_the_header_of_many_files_is_written_once(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(b"url,n\nHTTP://A,1\n")
    call = ["normalize", "a.csv", "b.csv"]
    assert python(*call, cwd=tmp_path).stdout == node(*call, cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("name", "text", "is_refused"),
    [
        ("a.csv", b"normalized_url,url\nx,http://a/\n", True),
        ("a.csv", b"sep=;\n\nnormalized_url;url\nx;http://a/\n", True),
        ("a.csv", b"url,n\nhttp://a/,normalized_url\n", False),
        ("a.jsonl", b'\n{"url":"http://a/","normalized_url":null}\n', True),
        ("a.jsonl", b'{"url":"http://a/"}\n{"url":"http://b/","normalized_url":""}\n', False),
    ],
)
def test_a_column_or_member_that_is_there_already_is_not_added(
    name: str, text: bytes, is_refused: bool, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(text)
    for call in (["normalize", "--emit", "both"], ["dedupe", "--emit", "both", "--keep", "last"]):
        given, expected = (each(*call, name, cwd=tmp_path) for each in (python, node))
        assert (given.stdout, given.stderr) == (expected.stdout, expected.stderr)
        assert given.returncode == expected.returncode == (2 if is_refused else 0)


NULL_CALLS = [
    ["normalize"],
    ["normalize", "--emit", "both", "--on-error", "empty"],
    ["normalize", "--on-error", "fail"],
    ["dedupe"],
    ["dedupe", "--keep", "last", "--emit", "both"],
    ["dedupe", "--keep", "max:c"],
]


@pytest.mark.parametrize("call", NULL_CALLS, ids=" ".join)
def test_parquet_of_every_type_is_written_or_refused_as_by_node(
    call: list[str], tmp_path: Path
) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    texts = ["HTTP://A", "http://a/", "x"]
    columns = {
        "null": pa.nulls(3),
        "text": pa.array(texts),
        "large": pa.array(texts, pa.large_string()),
        "view": pa.array(texts, pa.string_view()),
        "dictionary": pa.array(texts).dictionary_encode(),
        "binary": pa.array(texts, pa.binary()),
        "whole": pa.array([1, 2, 3]),
        "list": pa.array([["a"], [None], None], pa.list_(pa.string())),
        "nulls": pa.array([{"n": None, "l": [None]}] * 3),
    }
    for name, column in columns.items():
        table = pa.table({"url": column, "c": pa.nulls(3), "v": columns["view"]})
        pq.write_table(table, tmp_path / f"{name}.parquet")
        files = "--field", "url", f"{name}.parquet", "-o"
        given = python(*call, *files, "python.parquet", cwd=tmp_path)
        expected = node(*call, *files, "node.parquet", cwd=tmp_path)
        assert given.returncode == expected.returncode, (name, given.stderr)
        if given.returncode == 2:
            assert given.stderr == expected.stderr
        assert b"Traceback" not in given.stderr
        if given.returncode == 0:
            written = [pq.read_table(tmp_path / f"{each}.parquet") for each in ("python", "node")]
            assert written[0].to_pylist() == written[1].to_pylist(), name


def test_parquet_keeps_columns_and_types(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = ["HTTP://A", None, "x", "http://a/", "x", None]
    table = pa.table({"n": pa.array([1, 2, 3, 4, 3, 2], pa.int16()), "url": rows})
    pq.write_table(table, tmp_path / "a.parquet")
    for call in CALLS[:2] + CALLS[5:8]:
        tables = []
        for each in (python, node):
            done = each(*call, "a.parquet", "-o", "b.parquet", cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            tables.append(pq.read_table(tmp_path / "b.parquet").to_pydict())
        assert tables[0] == tables[1], call
    assert pq.read_table(tmp_path / "b.parquet").schema.field("n").type == pa.int16()


def cut_gzip(folder: Path) -> str:
    packed = gzip.compress(b"".join(b"HTTP://A/%d\n" % at for at in range(200_000)))
    (folder / "cut.gz").write_bytes(packed[: len(packed) // 2])
    return "cut.gz"


def spoilt_parquet(folder: Path) -> str:
    """Write a file whose second row group is damaged."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [f"http://a/{at * 7919 % 100_003}" for at in range(100_000)]
    table = pa.table({"url": rows})
    pq.write_table(table, folder / "a.parquet", row_group_size=50_000, use_dictionary=False)
    data = bytearray((folder / "a.parquet").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20_000] = bytes(20_000)
    (folder / "a.parquet").write_bytes(data)
    return "a.parquet"


def failing_line(folder: Path) -> str:
    lines = [b"http://a/%d" % at for at in range(50_000)]
    (folder / "a.txt").write_bytes(b"\n".join([*lines, b"nothing"]))
    return "a.txt"


@pytest.mark.parametrize("make", [cut_gzip, spoilt_parquet, failing_line])
@pytest.mark.parametrize("was", [None, b"as it was"])
def test_a_run_that_fails_leaves_the_output_as_it_was(
    make: Callable[[Path], str], was: bytes | None, tmp_path: Path
) -> None:
    name = make(tmp_path)
    output = f"out{Path(name).suffix}"
    if was is not None:
        (tmp_path / output).write_bytes(was)
    files = {file.name for file in tmp_path.iterdir()}
    done = python("normalize", "--on-error", "fail", name, "-o", output, cwd=tmp_path)
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False), done.stderr
    assert {file.name for file in tmp_path.iterdir()} == files
    assert was is None or (tmp_path / output).read_bytes() == was


def test_an_output_keeps_its_permissions_and_the_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\n")
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to("real.txt")
    done = python("normalize", "a.txt", "-o", "link.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"http://a/\n"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640
    assert python("normalize", "a.txt", "-o", "/dev/stdout", cwd=tmp_path).stdout == b"http://a/\n"
    done = python("normalize", "a.txt", "-o", "missing/b.txt", cwd=tmp_path)
    assert (done.returncode, b"urlmill: missing/b.txt: No such" in done.stderr) == (1, True)


def test_a_device_is_what_the_system_says(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\nx\n")
    fail = ["normalize", "a.txt", "--on-error", "fail", "-o"]
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert python("normalize", "a.txt", "-o", "pipe", cwd=tmp_path).returncode == 0
    assert os.read(reader, 99) == b"http://a/\nx\n"
    os.close(reader)
    assert python("normalize", "a.txt", "-o", "/dev/null", cwd=tmp_path).returncode == 0
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        with (tmp_path / "log").open("wb") as log:
            log.write(b"old\n")
            log.flush()
            command = [sys.executable, "-m", "urlmill", "normalize", "a.txt", "-o", name]
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
            subprocess.run(command, cwd=tmp_path, env=environment, stdout=log, check=True)
        assert (tmp_path / "log").read_bytes() == b"old\nhttp://a/\nx\n"
    if Path("/dev/shm").is_dir():
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            out = Path(folder, "out")
            out.write_bytes(b"old")
            assert python(*fail, str(out), cwd=tmp_path).returncode == 1
            assert (out.read_bytes(), os.listdir(folder)) == (b"old", ["out"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_removes_what_is_not_complete(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "urlmill", "normalize", "--format", "lines", "-o", "b.txt"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=pipe, stderr=pipe
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        until = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < until:
            time.sleep(0.01)
        (name,) = (file.name for file in tmp_path.iterdir())
        assert re.fullmatch(rf"\.urlmill-(locked-)?{process.pid}-[0-9a-f]{{8}}-b\.txt", name)
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert b"interrupted" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_a_plan_is_that_of_node(tmp_path: Path) -> None:
    call = [
        "plan",
        "-p",
        "crawl",
        "--drop-params",
        "ref,x*",
        "--www-digits",
        "true",
        "--max-length",
        "99",
    ]
    for each, name in ((python, "python.plan"), (node, "node.plan")):
        assert each(*call, "-o", name, cwd=tmp_path).returncode == 0
    assert (tmp_path / "python.plan").read_bytes() == (tmp_path / "node.plan").read_bytes()
    assert Normalizer(plan=tmp_path / "python.plan").preset is None


EXPLAINED = [
    "HTTP://www.A:80/./b/../%7ec?utm_source=x&b=2&a=1#top",
    "http://a/",
    "nothing at all",
    " http://user:@b\u00fccher.example/\u202e\tx?\u00fc",
    "http://1.2.3.256/",
    "http://a\u0001b/",
    "foo:bar baz",
    "-x",
]


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--json"],
        ["-p", "crawl"],
        ["--json", "-p", "aggressive"],
        ["--base", "http://b/c"],
        ["--www-digits", "true", "--default-scheme", "https"],
    ],
    ids=" ".join,
)
def test_explanations_are_those_of_node(flags: list[str], tmp_path: Path) -> None:
    call = ["explain", *flags, "--", *EXPLAINED]
    given, expected = (each(*call, cwd=tmp_path) for each in (python, node))
    # Errors name options as Python does.
    assert given.stdout == expected.stdout.replace(b"allowedSchemes", b"allowed_schemes")
    assert given.returncode == expected.returncode


@pytest.mark.parametrize(
    "call",
    [["normalize", "-q"], ["dedupe", "-q"], ["explain", "HTTP://A"], ["--help"]],
    ids=" ".join,
)
def test_a_reader_that_has_enough_is_no_failure(call: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src"), "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        [sys.executable, "-m", "urlmill", *call],
        env=environment,
        input=LINES,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_call_without_a_command_is_a_wrong_one(tmp_path: Path) -> None:
    done = python(cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"urlmill: which command?\n") and b"--emit" in done.stderr
    assert node(cwd=tmp_path).returncode == 2


def test_a_url_alone_is_normalized(tmp_path: Path) -> None:
    assert python("HTTP://A", cwd=tmp_path).stdout == b"http://a/\n"


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (["normalize", "--www", "blah", "a.txt"], 2, b"option www cannot be"),
        (["normalize", "--max-length", "x", "a.txt"], 2, b"not a whole number"),
        (["normalize", "--preset=", "a.txt"], 2, b'option preset cannot be ""'),
        (["normalize", "--sites", "null", "a.txt"], 2, b"option sites cannot be null: expected an"),
        (["normalize", "--sites", '{"a":1}', "a.txt"], 2, b'option sites cannot be {"a":1}'),
        (["normalize", "--delimiter", "ab", "a.txt"], 2, b"--delimiter is one ASCII character"),
        (["normalize", "--header=false", "a.csv"], 2, b"--header takes no value"),
        (["normalize", "-q=1", "a.txt"], 2, b"takes no value"),
        (["normalize", "--field", "foo", "a.csv"], 2, b'no column "foo"'),
        (["normalize", "missing.txt"], 1, b"missing.txt"),
        (["normalize", "a.txt", "-o", "a.txt"], 2, b"read and written"),
        (["normalize", "--base"], 2, b"--base needs a value"),
        (["normalize", "a.other"], 2, b"give --format"),
        (["dedupe"], 2, b"is XML: give --format sitemap, which the command of Node reads"),
        (["normalize", "tab.txt"], 2, b"a tab after its URL: give --format lines"),
        (["normalize", "--format", "lines", "tab.txt"], 0, b""),
        (["normalize", "--base", "x", "a.txt"], 2, b"not an absolute URL (NO_SCHEME): x"),
        (["normalize", "--base", "//b", "--default-scheme", "http", "a.csv"], 0, b""),
        (["normalize", "--field", "9", "a.csv"], 1, b"no record has a field number 9"),
        (["normalize", "--field", "n", "a.jsonl"], 1, b"no record has a text in the field n"),
        (["dedupe", "--field", "2", "--keep", "min:id", "a.csv"], 2, b"give its number"),
        (["normalize", "--on-error", "fail", "a.jsonl"], 1, b"line 2 is not a URL (NO_FIELD)"),
        (["explain"], 2, b"explain which URL?"),
        (["explain", "--base", "x", "y"], 2, b"not an absolute URL (NO_SCHEME): x"),
    ],
)
def test_a_wrong_call_says_why(call: list[str], code: int, said: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\n")
    (tmp_path / "a.csv").write_bytes(b"id,url\n1,HTTP://A\n")
    (tmp_path / "a.jsonl").write_bytes(b'{"url":"http://a/","n":1}\n{"n":2}\n')
    (tmp_path / "tab.txt").write_bytes(b"http://a/1\t200\n")
    (tmp_path / "a.other").write_bytes(b"id|url\n1|HTTP://A\n")
    done = python(*call, cwd=tmp_path, data=FEED)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "a.txt").read_bytes() == b"HTTP://A\n"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (
            "a.jsonl",
            b'[\n{"url":"HTTP://A"},\n{"url":"http://a"}\n]\n',
            b"no reader of JSON arrays",
        ),
        ("a.json", b'[{"url":"HTTP://A"},{"url":"http://a"}]', b"no reader of JSON arrays"),
        ("-", b'[{"url":"HTTP://A"},{"url":"http://a"}]', b"standard input is a JSON array: make"),
        ("a.txt", b'["HTTP://A","http://a"]', b"no reader of JSON arrays"),
        ("a.jsonl", b'["HTTP://A"]\n{"url":"http://a"}', None),
        ("a.txt", b'{"url":"HTTP://A"}\n{"url":"http://a"}\n', None),
        ("a.txt", b"<urlset><url><loc>HTTP://A</loc></url></urlset>", b"no --format sitemap"),
        ("a.txt", b"id,url\n1,HTTP://A\n2,http://a\n", b"give --format"),
        ("a.txt", b"id\turl\n1\tHTTP://A\n", b"give --format"),
        ("a.txt", b"id;url\n1;HTTP://A\n2;http://a\n", None),
        ("a.txt", b"# notes, and a url\nHTTP://A\nhttp://a\n", None),
    ],
)
def test_what_node_reads_in_another_format_is_not_read_as_lines(
    name: str, data: bytes, said: bytes | None, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    given, expected = (each("dedupe", name, cwd=tmp_path, data=data) for each in (python, node))
    assert (expected.returncode, b"http://a" in expected.stdout.splitlines()) == (0, False)
    if said is None:
        assert (given.returncode, given.stdout) == (0, expected.stdout)
    else:
        assert (given.returncode, given.stdout, said in given.stderr) == (2, b"", True)


@pytest.mark.parametrize(
    "files", [["a.csv", "a.jsonl"], ["a.txt", "a.csv"], ["b", "a.csv"], ["b", "a.txt", "a.ndjson"]]
)
def test_files_whose_names_tell_different_formats_are_refused(
    files: list[str], tmp_path: Path
) -> None:
    texts = {".csv": "url\nHTTP://A\n", ".txt": "HTTP://A\n", "": "HTTP://A\n"}
    for name in files:
        path = tmp_path / name
        path.write_text(texts.get(path.suffix, '{"url":"HTTP://A"}\n'))
    given, expected = (each("dedupe", *files, cwd=tmp_path) for each in (python, node))
    assert (given.returncode, given.stdout, given.stderr) == (2, b"", expected.stderr)


@pytest.mark.parametrize("pack", ["gzip", "zstd"])
def test_gzip_in_which_is_compressed_data_is_refused(pack: str, tmp_path: Path) -> None:
    inner = gzip.compress(LINES) if pack == "gzip" else b"\x28\xb5\x2f\xfd" + LINES
    (tmp_path / "a.txt").write_bytes(gzip.compress(inner))
    for each in (python, node):
        done = each("normalize", "--format", "lines", "a.txt", cwd=tmp_path)
        said = f"cannot read a.txt: its gzip data are compressed with {pack}; run: gzip -dc a.txt |"
        assert (done.returncode, done.stdout, said.encode() in done.stderr) == (1, b"", True)


@pytest.mark.parametrize("command", ["normalize", "dedupe"])
def test_nothing_is_written_if_a_file_is_missing(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(LINES)
    for each in (python, node):
        done = each(command, "a.txt", "missing.txt", cwd=tmp_path)
        assert (done.returncode, done.stdout, b"missing.txt" in done.stderr) == (1, b"", True)


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, Path]:
    """Return folders with a command `urlmill` each: that of Python, and that of Node."""
    texts = {
        "python": f'#!/bin/sh\nexec "{sys.executable}" -c \'import sys\nsys.argv[0] = sys.argv.pop(1)\n'
        f'from urlmill._cli import main\nsys.exit(main(sys.argv[1:]))\' "$0" "$@"\n',
        "node": f'#!/bin/sh\nexec "{shutil.which("node")}" "{NODE_COMMAND}" "$@"\n',
    }
    folders = {}
    for name, text in texts.items():
        folder = folders[name] = tmp_path / name
        folder.mkdir()
        (folder / "urlmill").write_text(text)
        (folder / "urlmill").chmod(0o755)
    return folders


def on_path(
    *folders: Path, call: list[str], data: bytes = b""
) -> "subprocess.CompletedProcess[bytes]":
    path = os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "python" / "src")}
    return subprocess.run(
        ["urlmill", *call], env=environment, input=data, capture_output=True, check=False
    )


UNSUPPORTED = [
    (["explain", "HTTP://A", "--color", "always"], b"", b"http://a/", "flag --color"),
    (["presets", "crawl"], b"", b"trackingParams", "command presets"),
    (["normalize", "--stats", "--format", "lines"], b"HTTP://A\n", b"http://a/", "flag --stats"),
    (["dedupe", "--format", "tsv", "--field", "1"], b"HTTP://A\n", b"HTTP://A", "--format tsv"),
]


@pytest.mark.parametrize(
    ("call", "data", "written", "unsupported"), UNSUPPORTED, ids=lambda part: str(part)[:20]
)
def test_what_it_lacks_is_done_by_the_next_command(
    commands: dict[str, Path], call: list[str], data: bytes, written: bytes, unsupported: str
) -> None:
    node_is_there = shutil.which("node") is not None and NODE_COMMAND.is_file()
    if not node_is_there:
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    for order in (["python", "node"], ["node", "python"]):
        done = on_path(*(commands[name] for name in order), call=call, data=data)
        assert (done.returncode, written in done.stdout) == (0, True), (order, done.stderr)
    alone = on_path(commands["python"], call=call, data=data)
    assert (alone.returncode, alone.stdout) == (2, b"")
    assert f"no {unsupported}".encode() in alone.stderr


@pytest.mark.parametrize(
    "call", [["-", "b.zst"], ["a.txt", "b.zst"], ["-o", "a.zst"]], ids=" ".join
)
def test_the_next_command_gets_all_of_standard_input_and_writes_alone(
    commands: dict[str, Path], call: list[str], tmp_path: Path
) -> None:
    """The next one writes what it reads: lines that were read before would be missing, others would come twice."""
    lines = b"".join(b"http://a/%d\n" % number for number in range(10_000))
    (tmp_path / "a.txt").write_bytes(lines)
    (tmp_path / "b.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    call = ["dedupe", *(part if part[0] == "-" else str(tmp_path / part) for part in call)]
    (commands["node"] / "urlmill").write_text("#!/bin/sh\necho next\nexec cat\n")
    done = on_path(commands["python"], commands["node"], call=call, data=lines)
    assert (done.returncode, done.stdout) == (0, b"next\n" + lines), done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rss", FEED),
        ("a.xml.gz", gzip.compress(FEED, mtime=0)),
        ("a.feed", FEED),
        ("a.atom", b"<feed><entry><link href='HTTP://A'/></entry></feed>"),
        (
            "a",
            b"\xef\xbb\xbf<x:urlset xmlns:x='s'><x:url><x:loc>HTTP://A</x:loc></x:url></x:urlset>",
        ),
    ],
)
def test_a_sitemap_or_feed_is_read_by_the_command_of_node(
    commands: dict[str, Path], name: str, text: bytes, tmp_path: Path
) -> None:
    if not NODE_COMMAND.is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    (tmp_path / name).write_bytes(text)
    call = ["normalize", str(tmp_path / name)]
    done = on_path(commands["python"], commands["node"], call=call)
    assert (done.returncode, b"http://a/" in done.stdout) == (0, True), done.stderr
    alone = on_path(commands["python"], call=call)
    assert (alone.returncode, alone.stdout) == (2, b"")
    assert b"no --format sitemap" in alone.stderr


WARC = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: HTTP://A\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
OF_NODE = [
    ("a.tsv", b"url\tn\nHTTP://A\t1\n", "tsv"),
    ("A.TSV", b"url\tn\nHTTP://A\t1\n", "tsv"),
    ("a.cdx", b" CDX N b a\na)/ 2020 HTTP://A\n", "cdx"),
    ("a.cdxj", b'a)/ 2020 {"url":"HTTP://A"}\n', "cdxj"),
    ("a.warc", WARC, "warc"),
    ("a.warc.gz", gzip.compress(WARC, mtime=0), "warc"),
    ("a", WARC, "warc"),
]


@pytest.mark.parametrize(("name", "data", "kind"), OF_NODE, ids=lambda part: str(part)[:9])
def test_a_file_of_a_format_that_it_lacks_is_read_by_the_command_of_node(
    commands: dict[str, Path], name: str, data: bytes, kind: str, tmp_path: Path
) -> None:
    if not NODE_COMMAND.is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    (tmp_path / name).write_bytes(data)
    call = ["normalize", str(tmp_path / name)]
    done = on_path(commands["python"], commands["node"], call=call)
    assert (done.returncode, b"http://a/" in done.stdout) == (0, True), done.stderr
    alone = on_path(commands["python"], call=call)
    assert (alone.returncode, alone.stdout) == (2, b"")
    assert f"no --format {kind}".encode() in alone.stderr


def test_help_has_each_word_that_explain_and_errors_name(commands: dict[str, Path]) -> None:
    for topics in ([], ["dedupe"], ["help"]):
        done = on_path(commands["python"], call=["help", *topics])
        assert (done.returncode, done.stdout) == (0, f"{help_text()}\n".encode())
    explained = on_path(commands["python"], call=["explain", "-p", "crawl", EXPLAINED[0]])
    named = re.findall(r"urlmill help\s+(\w+)", explained.stdout.decode())
    assert "trackingParams" in named
    codes = [code.name for code in Status if code > Status.CHANGED]
    for topic in [*named, "rules", "NO_FIELD", "INPUT_CHANGED", "SET_FULL", *codes[:2]]:
        done = on_path(commands["python"], call=["help", topic])
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.startswith(f"{topic}: ".encode())
    other = on_path(commands["python"], call=["help", "learn"])
    assert (other.returncode, b"has no help learn" in other.stderr) == (2, True)


def test_a_flag_that_is_mistyped_is_suggested(commands: dict[str, Path]) -> None:
    for typed, meant in (
        ("--fromat", "--format"),
        ("--no-headers", "--no-header"),
        ("--tracking-param", "--tracking-params"),
        ("--presett", "--preset"),
        ("--statss", "--stats"),
    ):
        done = on_path(commands["python"], call=["dedupe", typed, "csv"])
        said = f"urlmill: the command of Python has no flag {typed}; did you mean {meant}?\n"
        assert (done.returncode, done.stderr.decode()) == (2, said)
    of_node = ["--exclude", "--stats", "--count", "--shadow", "--errors", "--repeated", "--threads"]
    for other in [*of_node, "-j", "-j4", "--no-progress"]:
        done = on_path(commands["python"], call=["dedupe", other, "x"])
        assert f"no flag {other}: that is for the command of Node" in done.stderr.decode()
        assert b"npm install -g urlmill" in done.stderr
    for call in (["dedupe", "--qwertyuiop", "x"], ["qwertyuiop"]):
        done = on_path(commands["python"], call=call)
        assert b", nor has that of Node; urlmill help lists" in done.stderr
        assert (done.returncode, b"npm install" in done.stderr) == (2, False)


def test_help_lists_each_option_of_a_normalizer_with_its_flag() -> None:
    text = help_text()
    for name in OPTION_NAMES:
        flag = f"--{name.replace('_', '-')}"
        # Python has one engine.
        assert (re.search(rf"^  (-p, )?{flag}\b", text, re.M) is not None) == (name != "engine"), (
            flag
        )
    assert max(map(len, text.split("\n"))) <= 120


def test_meanings_of_errors_name_flags(tmp_path: Path) -> None:
    for call in (
        ["explain", "--allowed-schemes", "http", "foo://a/"],
        ["explain", "--max-length", "9", "http://aaaaaaaa/"],
    ):
        given, expected = python(*call, cwd=tmp_path), node(*call, cwd=tmp_path)
        assert (given.returncode, given.stdout) == (expected.returncode, expected.stdout)
        assert call[1].encode() in given.stdout


def test_help_of_a_step_is_that_of_node_where_it_is_there(commands: dict[str, Path]) -> None:
    (commands["node"] / "urlmill").write_text('#!/bin/sh\necho next "$@"\n')
    done = on_path(commands["python"], commands["node"], call=["help", "fragment"])
    assert done.stdout == b"next help fragment\n"


def test_a_full_set_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise SeenError("SET_FULL", "use 64 bits")

    monkeypatch.setattr(SeenSet, "add_batch", fail)
    (tmp_path / "a.txt").write_bytes(LINES)
    assert main(["dedupe", str(tmp_path / "a.txt")]) == 1
    said = capsys.readouterr().err
    assert ("divide the list by host" in said, "64 bits" in said) == (True, False)


def test_a_feed_after_a_list_is_no_list(commands: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"HTTP://A\n")
    (tmp_path / "a.rss").write_bytes(FEED)
    call = ["dedupe", str(tmp_path / "a.txt"), str(tmp_path / "a.rss")]
    alone = on_path(commands["python"], call=call)
    assert (alone.returncode, alone.stdout) == (2, b"")
    assert b"no --format sitemap" in alone.stderr


def test_two_commands_of_python_do_not_hand_over_for_ever(commands: dict[str, Path]) -> None:
    shutil.copytree(commands["python"], commands["python"].parent / "other")
    other = commands["python"].parent / "other"
    done = on_path(commands["python"], other, call=["learn"])
    assert (done.returncode, b"no command learn" in done.stderr) == (2, True)


def test_dates_whose_year_is_last_are_left_to_node(commands: dict[str, Path]) -> None:
    for order in ("dmy", "mdy"):
        alone = on_path(commands["python"], call=["dedupe", "--keep", f"max:date:{order}"])
        assert (alone.returncode, alone.stdout) == (2, b"")
        assert f"no --keep max:date:{order}".encode() in alone.stderr


def test_both_orders_give_the_same_for_what_both_have(commands: dict[str, Path]) -> None:
    if not NODE_COMMAND.is_file():
        pytest.skip("node, or the build of the Node package to compare with, is missing")
    call = ["dedupe", "-p", "crawl"]
    first: Any = on_path(commands["python"], commands["node"], call=call, data=LINES)
    second = on_path(commands["node"], commands["python"], call=call, data=LINES)
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)
