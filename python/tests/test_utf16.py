"""Lists in UTF-16 with a byte order mark: the command reads them as UTF-8, and says so."""

import codecs
import gzip
from pathlib import Path

import pytest
from test_command import python

TABLE = "url,n\r\nHTTP://ü.de/é,1\r\nhttp://xn--tda.de/%C3%A9,2\r\nhttp://a/😀,3\r\n"
CALLS = [
    ["normalize"],
    ["dedupe"],
    ["dedupe", "--emit", "both"],
    ["dedupe", "--keep", "max:n"],
]
MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_list_in_utf_16_is_read_as_one_in_utf_8(
    call: list[str], encoding: str, tmp_path: Path
) -> None:
    data = MARKS[encoding] + TABLE.encode(encoding)
    files = {"a.csv": data, "b.csv.gz": gzip.compress(data), "utf8.csv": TABLE.encode()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    expected = python(*call, "utf8.csv", cwd=tmp_path)
    assert expected.returncode == 0
    for name in ("a.csv", "b.csv.gz", "-"):
        done = python(*call, "--format", "csv", name, cwd=tmp_path, data=data)
        assert (done.returncode, done.stdout) == (0, expected.stdout)
        shown = "standard input" if name == "-" else name
        assert done.stderr.decode() == f"urlmill: {shown} is UTF-16; written as UTF-8\n"
    assert python(*call, "-q", "a.csv", cwd=tmp_path).stderr == b""


@pytest.mark.parametrize("damage", [b"x", b"\0\xd8\n\0"], ids=["half a unit", "half a pair"])
def test_damaged_utf_16_ends_the_run_after_what_comes_before(damage: bytes, tmp_path: Path) -> None:
    lines = [f"http://a/{number}\n" for number in range(9000)]
    encoded = codecs.BOM_UTF16_LE + "".join(lines).encode("utf-16-le")
    (tmp_path / "a.txt").write_bytes(encoded + damage)
    done = python("dedupe", "a.txt", cwd=tmp_path)
    assert (done.returncode, done.stdout.decode()) == (1, "".join(lines))
    place = f"at byte {len(encoded)}".encode()
    assert b"it begins as text in UTF-16, and has half of a character" in done.stderr
    assert place in done.stderr
