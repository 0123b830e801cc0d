"""Tables with semicolons and a line for Excel are read unasked, as by Node."""

import gzip
from pathlib import Path

import pytest
from test_command import node, python

SEMICOLONS = {
    "a table": "id;url\r\n1;HTTP://a/x,y\r\n2;http://a/x,y\r\n",
    "a header alone that is quoted": '"n";"url"\n1;HTTP://a/\n2;http://a/\n',
    "all cells quoted": '"n";"url"\r\n"1";"HTTP://a/;,"\r\n"2";"http://a/;,"\r\n',
    "a line for Excel": "sep=;\r\nid;url\r\n1;HTTP://a/\r\n2;http://a/\r\n",
    "a line for Excel with commas": "sep=,\nid,url\n1,HTTP://a/\n2,http://a/\n",
    "a line for Excel with tabs": "sep=\t\nid\turl\n1\tHTTP://a/\n2\thttp://a/\n",
}
OTHERS = {
    "commas": "url,note\nhttp://a/,x;y\nhttp://a,z;y\n",
    "one column": "url\nhttp://a/;b\nhttp://a/;b\n",
    "rows of other widths": "id;url\n1;http://a/;x\n2;http://a/;x\n",
    "a header without rows": "id;url\n",
    "a line for Excel without a header": "sep=;\n",
}
CALLS = [
    ["normalize", "--emit", "normalized"],
    ["dedupe"],
    ["dedupe", "--emit", "both"],
    ["dedupe", "--field", "url", "--keep", "last"],
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("text", SEMICOLONS.values(), ids=list(SEMICOLONS))
def test_a_delimiter_is_found(text: str, call: list[str], tmp_path: Path) -> None:
    data = text.encode()
    files = {
        "list.csv": data,
        "list.csv.gz": gzip.compress(data),
        "bom.csv": b"\xef\xbb\xbf" + data,
    }
    (tmp_path / "empty.csv").write_bytes(b"")
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    expected = node(*call, "list.csv", cwd=tmp_path)
    assert expected.returncode == 0
    for names in (["list.csv"], ["list.csv.gz"], ["bom.csv"], ["empty.csv", "list.csv"], ["-"]):
        done = python(*call, *names, cwd=tmp_path, data=data)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, b"")
    twice = [*call, "list.csv", "list.csv"]
    assert python(*twice, cwd=tmp_path).stdout == node(*twice, cwd=tmp_path).stdout


@pytest.mark.parametrize("text", OTHERS.values(), ids=list(OTHERS))
def test_other_tables_have_commas(text: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(text, newline="")
    call = ["dedupe", "--field", "url", "list.csv"]
    theirs, ours = node(*call, cwd=tmp_path), python(*call, cwd=tmp_path)
    assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout)


def test_a_column_that_is_named_is_found(tmp_path: Path) -> None:
    data = b"id;link\n1;http://a/\n2;HTTP://a/\n"
    done = python("dedupe", "--field", "link", cwd=tmp_path, data=data)
    assert (done.returncode, done.stdout) == (0, b"id;link\n1;http://a/\n")
    assert python("dedupe", cwd=tmp_path, data=data).returncode == 2
    given = python("dedupe", "--delimiter", "|", "--field", "link", cwd=tmp_path, data=data)
    assert given.returncode == 2


def test_a_line_for_excel_before_rows_without_a_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_bytes(b"sep=;\n1;http://a/\n")
    call = ["dedupe", "--field", "2", "--no-header", "list.csv"]
    theirs, ours = node(*call, cwd=tmp_path), python(*call, cwd=tmp_path)
    assert (ours.returncode, ours.stderr) == (2, theirs.stderr)
    assert "--delimiter ';'" in ours.stderr.decode()
