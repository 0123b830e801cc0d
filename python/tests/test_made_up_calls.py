"""Made-up calls of the command on made-up lists: output, exit code and messages are those of Node."""

import csv
import io
import json
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from test_command import node, python

CALLS = 300 if os.environ.get("URLMILL_LONG") == "1" else 12
"""The calls of each format."""
URLS = [
    *("http://a.com", "HTTP://A.com:80/", "https://www.a.com/x/../y", "http://ü.de/%7Eu", ""),
    *("x", "../x", "?b=2&a=1", "#f", "//b.com/", "/p?q", "a.com", "http:a.com", "http:///a.com"),
    *("http://a.com/%2e%2E/z", "http://a.com/a b", "  http://a.com/  ", "http://a.com/\tq", "x,y"),
    *("ftp://a", "mailto:x@y", "javascript:1", "data:,x", "view-source:http://a", "http://u:p@a/"),
    *("http://[::1]:80/", "http://0x7f.1/", "http://a.com:99999/", "http://a.com/%zz", "\ufeffx"),
    *("http://a.com/index.html", "http://a.com//x//", "http://a.com/?utm_source=1&x", "a b"),
    *("http://a.com/'\"", "http://a.com/a,b;c", "http://a.com/\ud7ff", "http://a/" + "x" * 3000),
]
CHANGES = ["%41", "/", "\\", "?", "&", "=", "é", "%", "#", "..", "A"]
PRESETS = ["safe", "crawl", "c14n", "aggressive"]
OPTIONS = [
    *(["--drop-params", "utm_*"], ["--www", "remove"], ["--sort-query", "name"]),
    *(["--fragment", "remove"], ["--trailing-slash", "remove"], ["--scheme", "https"]),
    *(["--max-length", "50"], ["--default-scheme", "http"], ["--allowed-schemes", "http,https"]),
]
BASES = ["http://a.com/b/c", "https://ex.org", "http://a.com/b/?q", "file:///x/y"]
Made = tuple[bytes, list[str]]
"""A list, and the flags that say how it is read."""


def url(rng: random.Random) -> str:
    text = rng.choice(URLS)
    if text and rng.random() < 0.3:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(CHANGES) + text[at:]
    return text


def lines(rng: random.Random, urls: list[str]) -> Made:
    end = rng.choice(["\n", "\r\n"])
    data = end.join(urls).encode() + rng.choice([b"", b"\n", b"\nhttp://a/\xff\xfe\n"])
    return data, ["--format", "lines"]


def json_lines(rng: random.Random, urls: list[str]) -> Made:
    rows = []
    for each in urls:
        others: list[object] = [None, 1, True, [], {}]
        value = rng.choice([*[each] * 12, *others])
        row = {"n": rng.randrange(5), "url": value, "z": rng.choice(["q", None, 1.5, "\u2028"])}
        if rng.random() < 0.05:
            del row["url"]
        text = json.dumps(row, ensure_ascii=rng.random() < 0.5)
        rows.append(rng.choice([text] * 20 + ["", text[:-1]]))
    data = rng.choice(["\n", "\r\n"]).join(rows) + rng.choice(["", "\n"])
    fields: list[list[str]] = [[], [], [], ["--field", "url"], ["--field", "n"]]
    formats: list[list[str]] = [["--format", "jsonl"]]
    if rows and rows[0]:
        formats.append([])
    return data.encode(), rng.choice(formats) + rng.choice(fields)


def table(rng: random.Random, urls: list[str]) -> Made:
    delimiter = rng.choice(",,;|")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if rng.random() < 0.5 else csv.QUOTE_MINIMAL
    out = io.StringIO()
    end = rng.choice(["\n", "\r\n"])
    write = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerow
    has_header = rng.random() < 0.7
    if has_header:
        write(["n", "url", "z"])
    for each in urls:
        row = [rng.randrange(5), each, rng.choice(["q", 'a"b', "x\ny", ""])]
        write(rng.choice([row] * 24 + [row[:1]]))
    flags = ["--format", "csv", *([] if delimiter == "," else ["--delimiter", delimiter])]
    if not has_header:
        return out.getvalue().encode(), [*flags, "--field", "2", *rng.choice([[], ["--no-header"]])]
    fields: list[list[str]] = [[], ["--field", "url"], ["--field", "2"], ["--field", "n"]]
    flags += [*rng.choice([[], ["--header"]]), *rng.choice(fields)]
    return out.getvalue().encode(), flags


def hostile_table(rng: random.Random, urls: list[str]) -> Made:
    """Make a table whose quotes stand anywhere, whose header may be damaged, and whose rows may have other cells."""
    delimiter = rng.choice(",,;|")
    parts = [
        '"',
        '"',
        '""',
        "”",
        '\\"',
        "\n",
        "\r\n",
        "\r",
        "'",
        " ",
        delimiter,
        "é",
        "\x1b[2J",
        "q",
    ]

    def hostile(text: str) -> str:
        for _ in range(rng.randrange(3)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(parts) + text[at:]
        return text

    def cell(text: str) -> str:
        if rng.random() < 0.6:
            text = '"' + text.replace('"', '""') + '"'
        return hostile(text) if rng.random() < 0.15 else text

    names = rng.choice([["n", "url", "z"]] * 12 + [["n", "url", "url"], ["n", "x\x1b", "z"]])
    header = delimiter.join(map(cell, names)) if rng.random() < 0.2 else delimiter.join(names)
    end = rng.choice(["\n", "\r\n"])
    rows = [
        delimiter.join(
            map(cell, [str(rng.randrange(5)), each, rng.choice(["q", 'a"b', "x\ny", ""])])
        )
        for each in urls
    ]
    rows = [rng.choice([row] * 12 + ["", row + delimiter, '5" disk']) for row in rows]
    text = end.join([header, *rows]) + rng.choice(["", end])
    if rng.random() < 0.3:
        text = end + text + end
    flags = ["--format", "csv", *([] if delimiter == "," else ["--delimiter", delimiter])]
    fields: list[list[str]] = [["--field", "url"], ["--field", "2"], ["--header", "--field", "2"]]
    return text.encode(), flags + rng.choice(fields)


def flags_of(rng: random.Random, command: str) -> list[str]:
    given: list[str] = []

    def add(share: float, name: str, values: list[str]) -> None:
        if rng.random() < share:
            given.extend([name, rng.choice(values)])

    add(0.3, "--base", BASES)
    add(0.35, "--form", ["surt", "urlkey", "urlkey-www", "template", "host", "url"])
    add(0.5, "--preset", PRESETS)
    if command == "normalize":
        add(0.3, "--emit", ["normalized", "both"])
        add(0.4, "--on-error", ["keep", "empty", "fail"])
    else:
        add(0.3, "--emit", ["normalized", "both", "original"])
        add(0.4, "--keep", ["first", "last", "max:n", "min:n", "max:1", "min:z"])
    return given + (rng.choice(OPTIONS) if rng.random() < 0.3 else [])


def said(text: bytes) -> str:
    """Return messages without what the command of Node alone has."""
    messages = text.decode().replace("; --errors FILE lists them, --stats counts them", "")
    messages = re.sub(r"(?m)^urlmill: .* have a tab inside, .*\n", "", messages)
    messages = re.sub(r"\((?:tsv, .*?|csv, jsonl, parquet)\)", "(FORMATS)", messages)
    messages = re.sub(r"(no record has .*): the first one has .*", r"\1", messages)
    return re.sub(r"no record has (?:a text in )?the field", "no record has the field", messages)


@pytest.mark.parametrize("make", [lines, json_lines, table, hostile_table])
def test_made_up_calls_are_answered_as_by_node(
    make: Callable[[random.Random, list[str]], Made], tmp_path: Path
) -> None:
    for seed in range(CALLS):
        rng = random.Random(seed)
        data, flags = make(rng, [url(rng) for _ in range(rng.randrange(25))])
        command = rng.choice(["normalize", "dedupe"])
        call = [command, *flags, *flags_of(rng, command)]
        answers = [each(*call, cwd=tmp_path, data=data) for each in (python, node)]
        given, expected = ((done.returncode, done.stdout, said(done.stderr)) for done in answers)
        assert given == expected, (seed, call, data)


@pytest.mark.parametrize("first", ["/p", "x", "../x", "a.com", "?q", "#f", "1.2.3.4", "é", "%41"])
def test_a_line_that_is_no_table_is_of_a_list_of_lines(first: str, tmp_path: Path) -> None:
    call = ["normalize", "--base", "http://b/"]
    data = f"{first}\nHTTP://A\n".encode()
    given, expected = (each(*call, cwd=tmp_path, data=data) for each in (python, node))
    assert (given.returncode, given.stdout) == (0, expected.stdout)
