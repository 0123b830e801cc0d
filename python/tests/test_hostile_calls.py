"""What strangers name or write: the command escapes it on a terminal, and refuses what is no list as Node does."""

import gzip
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from test_command import node, python

from urlmill._cli.command import main

HOSTILE = "\x1b]0;x\x07\u009b2J\x7f\u202egpj\u2069\u200f"
URLS = b"http://a/\nHTTP://A\nx\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with files of hostile names and content the current one, where no other command is."""
    name = HOSTILE.replace("/", "")
    files = {
        f"list{name}.txt": URLS,
        f"damaged{name}.gz": gzip.compress(URLS)[:-5],
        f"text{name}": b"a, b\n",
        f"table{name}.csv": f'id,{HOSTILE}\n1,http://a/\n2,"b\n'.encode(),
        f"two{name}.csv": f"url,{HOSTILE},url\n1,http://a/,2\n".encode(),
        f"other{name}.csv": f"x,{HOSTILE}\n1,http://b/\n".encode(),
        f"open{name}.csv": f'id,"{HOSTILE}\n'.encode(),
        f"list{name}.jsonl": b'{"a":1}\n',
        f"utf{name}.csv": "url\nhttp://a/\n".encode("utf-16") + b"x",
        f"no{name}.parquet": b"PAR1 nothing",
        f"rules{name}": f"#urlmill-rules 1\na.b\t*\t{HOSTILE}\n".encode(),
    }
    for each, data in files.items():
        (tmp_path / each).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    return tmp_path


CALLS = [
    *([f"x{HOSTILE}"], ["normalize", f"--x{HOSTILE}"], ["normalize", "--preset", HOSTILE]),
    *(["normalize", "--base", HOSTILE], ["normalize", "--base", f"http://a:{HOSTILE}/"]),
    *(["normalize", f"missing{HOSTILE}"], ["normalize", f"missing\nurlmill: all is well{HOSTILE}"]),
    *(
        ["normalize", "-o", f"/missing/{HOSTILE}", "list.txt"],
        ["dedupe", "--keep", HOSTILE, "list.txt"],
    ),
    *(["dedupe", "--keep", f"max:{HOSTILE}", "list.txt"], ["normalize", "damaged.gz"]),
    *(["normalize", "text"], ["normalize", "--field", "url", "table.csv"]),
    *(["dedupe", "--field", HOSTILE, "table.csv"], ["dedupe", "two.csv"]),
    *(["normalize", "--field", HOSTILE, "table.csv", "other.csv"], ["normalize", "open.csv"]),
    *(["normalize", "--field", HOSTILE, "list.jsonl"], ["normalize", "utf.csv"]),
    *(["normalize", "no.parquet", "-o", f"out{HOSTILE}.parquet"], ["plan", "--sites", HOSTILE]),
    *(
        ["normalize", "--rules", "rules", "list.txt"],
        ["normalize", "--delimiter", HOSTILE, "two.csv"],
    ),
    *(
        ["normalize", "--max-length", HOSTILE, "list.txt"],
        ["normalize", "list.txt", "-o", "list.txt"],
    ),
    *(["normalize", "--drop-params", HOSTILE, "--default-params", HOSTILE, "list.txt"],),
    *(["normalize", "--form", HOSTILE, "list.txt"], ["explain", "--base", HOSTILE, "x"]),
]


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_hidden_characters_are_escaped_on_standard_error(
    call: list[str], folder: Path, capfd: Any
) -> None:
    hostile = {re.sub(re.escape(HOSTILE), "", path.name): path.name for path in folder.iterdir()}
    code = main([hostile.get(word, word) for word in call])
    said = capfd.readouterr().err
    assert code in (1, 2)
    assert said.startswith("urlmill: ")
    hidden = [each for each in said if unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp")]
    assert set(hidden) <= {"\n", "\t"}, said
    assert all(line.startswith("urlmill: ") for line in said.splitlines())
    assert "\nurlmill: all is well" not in said


FOREIGN = {
    "le.csv": "url\nhttp://a/\n".encode("utf-16-le"),
    "be.txt": "http://a/\n".encode("utf-16-be"),
    "b.txt": "http://a/\n".encode("utf-32"),
    "c.jsonl": b"BZh91AY&SY" + bytes(20),
    "d.txt": b"\xfd7zXZ\0" + bytes(20),
    "e.csv": b"PK\x03\x04" + bytes(20),
    "book.csv": b"PK\x03\x04" + bytes(26) + b"xl/workbook.xml" + bytes(20),
    "theme.XLSX": b"PK\x03\x04" + bytes(26) + b"theme.bin",
    "theme.csv": (b"PK\x03\x04" + bytes(26) + b"theme.bin" + bytes(500)) * 30
    + b"PK\x03\x04"
    + bytes(26)
    + b"xl/workbook.xml",
    "f.txt": b"a" * 257 + b"ustar" + bytes(20),
    "it's.csv.gz": gzip.compress("url\nhttp://a/\n".encode("utf-16-le")),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_list_of_lines_is_refused_as_by_node(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FOREIGN[name])
    for call, data in (([name], b""), (["--format", "csv", "--field", "1"], FOREIGN[name])):
        given, expected = (
            each("dedupe", *call, cwd=tmp_path, data=data) for each in (python, node)
        )
        assert (given.returncode, given.stdout) == (1, b"")
        assert given.stderr == expected.stderr


NO_LISTS = [
    b'[["urlkey","original"],\n',
    b'\n{ \n "url":"http://a"\n}\n',
    b"<!DOCTYPE html>\n<title>x</title>\n",
    b"\n<html\nlang='en'>\n",
    b"\xef\xbb\xbf%PDF-1.7\n",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    b"ORC\n\x06\x12\x04\x08\x01P\0\n7\n\x03\0\0\0\x120\x08\x01",
    b"\x7fELF\x02\x01\x01\0",
    b"http://a/\0http://b/\0",
]


@pytest.mark.parametrize("data", NO_LISTS)
def test_what_would_pass_as_lines_is_refused_as_by_node(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "it's.txt").write_bytes(data)
    (tmp_path / "a.gz").write_bytes(gzip.compress(data))
    for call in (["it's.txt"], ["a.gz"], []):
        given, expected = (
            each("dedupe", *call, cwd=tmp_path, data=data) for each in (python, node)
        )
        assert (given.returncode, given.stdout) == (2, b"")
        assert given.stderr == expected.stderr
    as_lines = python("dedupe", "--format", "lines", cwd=tmp_path, data=data)
    assert as_lines.returncode == 0


@pytest.mark.parametrize(
    "header",
    [b"url,url", b'"url",id,url', b'id,"url', b'id,"url"x', b"a,b", b"\xff,\xff", b'"u""r",id'],
)
def test_a_header_without_one_column_of_urls_is_refused_as_by_node(
    header: bytes, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_bytes(header + b"\n1,2\n")
    for call in (["--field", "url"], ["--header", "--field", "9"]):
        given, expected = (each("dedupe", *call, "a.csv", cwd=tmp_path) for each in (python, node))
        assert (given.returncode, given.stdout, given.stderr) == (
            2,
            b"",
            expected.stderr,
        )
