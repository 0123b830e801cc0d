"""The command: finds out what a call asks for, and runs it or hands it over."""

import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from .._errors import SHOWN, OptionError, UrlmillError
from .._kernel import plan_of_form
from .._normalizer import Normalizer
from .._status import MEANINGS, Status
from .._version import __version__
from .csv_table import Csv, Format, begins_table, names_columns
from .files import PARQUET, check_output, check_zstd, first_bytes, lines_of, output
from .flags import Flags, parse_flags
from .foreign import refuse_no_list
from .hand_over import Unsupported, hand_over, next_command
from .keep import Keep, keep_of
from .keeping import Keeping, run_twice
from .messages import NOTES, Stopped, say, shown_input
from .parquet import run_parquet
from .quotes import OpenQuotes
from .records import JsonLines, Lines, check_field, field_name, has_header
from .run import Counts, Dedupe, Normalize, run
from .seen import earlier_keys, files_of_set, options_of_set

_HELP = """urlmill without Node: one canonical form for every URL

  urlmill normalize [FILE...]  one record out per record in, in order
  urlmill dedupe [FILE...]     the first record of each normalized URL, or other text, in order
  urlmill explain URL...       each step that changes a URL, before and after (--json); of two URLs, whether
                               they have one key. Node's explain proposes what would make them one
  urlmill plan                 options as a file for the kernel elsewhere
  urlmill URL                  the normalized URL
  urlmill help [STEP|CODE]     this, or what a step of explain or the code of an error means

  --format FORMAT     lines, csv, jsonl, parquet: by default as the file's name or its first line tells
  --field NAME|N      where the URL is (url)
  --header            the first record of csv names the columns; --no-header: it is a row
  --delimiter CHAR    the character between the fields of csv (, or ; as its first rows tell)
  --base URL          resolve relative references against URL
  -o, --output FILE   write FILE; compressed if it ends with .gz
  --form FORM         url, surt, urlkey and urlkey-www: the keys of web archives;
                      template joins pages of one type, host writes the host alone
  --emit WHAT         normalized, both; dedupe also takes original, and does so by default
  --on-error WHAT     keep, empty, fail: what normalize does with a record without a URL
  --keep WHICH        first (default), last, max:COLUMN or min:COLUMN: the record that dedupe writes of each URL
  --seen DIR          write only what earlier runs with DIR have not; DIR is a set on disk, which Node takes too.
                      A kill can repeat rows, and loses none: keys are recorded after the output is on disk.
                      A run of Node's command is a transaction
  -q, --quiet         write only errors on standard error

Options of a normalizer, the value of preset safe first:
"""
_HELP_END = """
Other commands and flags, such as learn, --stats, --errors and --threads, are those of Node: the next urlmill on PATH
runs them. All options with examples: https://github.com/urlmill/urlmill/blob/main/docs/options.md
Exit code: 0 done, 1 failed, 2 wrong call."""
_HELP_COLUMN = 27
_HELP_WIDTH = 120

_FULL = (
    "there are more URLs than 4 GiB of memory can tell apart (SET_FULL): divide the list by host, or take "
    "the command of Node (npm install -g urlmill), which goes on with temporary files"
)
_SPECIFICATION = "More: https://github.com/urlmill/urlmill/blob/main/docs/spec.md"
_CODES = {
    "NO_FIELD": "the record has no URL where one belongs; see --field",
    "SET_FULL": _FULL.replace(" (SET_FULL)", ""),
    "INPUT_CHANGED": "a file changed between the two readings that --keep takes; run again once it no longer changes",
}
"""What codes mean that only the command has."""
_KEYS = {"urlkey": 1, "urlkey-www": 2, "template": 3, "host": 4}
"""The forms that a plan makes of rows, with their numbers in it."""
_FORMATS = ("lines", "csv", "jsonl", "parquet")
_RECORDS = {
    "--format": _FORMATS,
    "--field": None,
    "--header": None,
    "--delimiter": None,
    "--base": None,
    "--output": None,
    "--form": ("url", "surt", *_KEYS),
    "--quiet": None,
    "--help": None,
}
_COMMANDS: dict[str, dict[str, Sequence[str] | None]] = {
    "normalize": {
        **_RECORDS,
        "--emit": ("normalized", "both"),
        "--on-error": ("keep", "empty", "fail"),
    },
    "dedupe": {
        **_RECORDS,
        "--emit": ("original", "normalized", "both"),
        "--keep": None,
        "--seen": None,
        "--store": ("disk",),
    },
    "explain": {"--json": None, "--base": None, "--help": None},
    "plan": {"--output": None, "--help": None},
}
_OF_BASES = ("max_length", "default_scheme")
"""The options on which reading a base depends."""
_URL = re.compile(rb"[a-z][a-z0-9+.-]*://", re.I)
_WORD = re.compile(rb"[^\0\t ,;|]+")
"""A line that no table has, such as a path or a host."""
_NO_LIST = re.compile(rb"[\[<]")
_XML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml\s|!--|(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|RDF|feed)[\s>])"
)
_NODE_BEGINNINGS = (
    (
        re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{"),
        "reader of JSON arrays",
        "a JSON array: make JSON lines of it first, as with jq -c .[]",
    ),
    (
        re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\""),
        "reader of JSON arrays",
        "a JSON array: make lines of it first, as with jq -r .[]",
    ),
    (
        _XML,
        "--format sitemap",
        "XML: give --format sitemap, which the command of Node reads",
    ),
    (
        re.compile(rb"WARC/"),
        "--format warc",
        "a web archive: give --format warc, which the command of Node reads",
    ),
)
"""The beginnings of what the command of Node reads, what this one has not, and what to do if it was read already.

The first is looked for in a file whose name tells JSON lines, too.
"""
_NODE_ENDINGS = {
    **dict.fromkeys((".xml", ".rss", ".atom", ".rdf"), "sitemap"),
    ".tsv": "tsv",
    ".cdx": "cdx",
    ".cdxj": "cdxj",
    ".warc": "warc",
    "crawl.log": "crawl-log",
}
"""The formats that only the command of Node reads, by the ends of names."""
_ENDINGS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".txt": "lines",
}


def main(arguments: Sequence[str]) -> int:
    """Run a call; return its exit code: 0 done, 1 failed, 2 wrong call."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except Unsupported as unsupported:
        return hand_over(arguments, unsupported)
    except Stopped as stopped:
        return _say(str(stopped), 1)
    except OptionError as error:
        return _say(error.message, 2)
    except BrokenPipeError:
        # The reader has enough, as `head` does. What Python would write at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.filename or 'output'}: {error.strerror}", 1)
    except UrlmillError as error:
        return _say(_FULL if error.code == "SET_FULL" else str(error), 1)


class _Ended(BaseException):
    """Ends a run after a signal, so that its unfinished file is removed. It has the exit code."""


def main_of_process() -> int:
    """Run the call of this process, as the console script does. SIGINT and SIGTERM end it with 130 and 143."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        return main(sys.argv[1:])
    except _Ended as ended:
        return _say("interrupted; a file of -o is as it was", ended.args[0])


def _end(number: int, _: object) -> None:
    raise _Ended(128 + number)


def _say(text: str, code: int) -> int:
    say(text)
    return code


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        print(f"urlmill: which command?\n\n{help_text()}", file=sys.stderr)
        return 2
    command = arguments[0]
    if command in ("--help", "-h", "help"):
        return _help(arguments[1:])
    if command in ("--version", "version"):
        print(__version__)
        return 0
    if command not in _COMMANDS:
        if "://" not in command or len(arguments) > 1:
            raise Unsupported(f"command {command}")
        print(Normalizer().normalize(command))
        return 0
    flags = parse_flags(arguments[1:], _COMMANDS[command])
    if flags.run.get("help"):
        print(help_text())
        return 0
    _check_base(flags)
    if command == "explain":
        return _explain(flags)
    flags.options = options_of_set(flags.run, flags.options)
    normalizer = Normalizer(**flags.options)
    form = _KEYS.get(flags.run.get("form", ""))
    if form is not None:
        normalizer = Normalizer(plan=plan_of_form(normalizer.plan, form))
    return _plan(normalizer, flags) if command == "plan" else _records(command, normalizer, flags)


def help_text() -> str:
    """Return what the command does, with all its flags."""
    from .._options.tables import OPTION_HELP

    indent = " " * _HELP_COLUMN
    options = (
        fill(
            text,
            _HELP_WIDTH,
            initial_indent=f"  {form}".ljust(_HELP_COLUMN),
            subsequent_indent=indent,
        )
        for form, text in OPTION_HELP
    )
    return "\n".join([_HELP, *options, _HELP_END])


def _help(topics: Sequence[str]) -> int:
    """Print what the command does, or what a word means. Of a step, the next command on PATH says more."""
    topic = topics[0] if topics else "help"
    if topic in (*_COMMANDS, "help"):
        print(help_text())
        return 0
    from .._options.tables import STEP_TEXTS
    from .explain import meaning_in_flags

    codes = {code.name: meaning_in_flags(code) for code in MEANINGS if code > Status.CHANGED}
    text = {**codes, **_CODES}.get(topic)
    if text is None and next_command() is None:
        text = STEP_TEXTS.get(topic)
    if text is None:
        raise Unsupported(f"help {topic}")
    print(f"{topic}: {text}\n\n{_SPECIFICATION}")
    return 0


def _check_base(flags: Flags) -> None:
    """Raise `OptionError` for a base that is not an absolute URL, before anything is read."""
    if (base := flags.run.get("base")) is None:
        return
    known = {key: flags.options[key] for key in _OF_BASES if key in flags.options}
    tried = Normalizer(**known).try_normalize(base)
    if not tried:
        shown = base if len(base) <= SHOWN else f"{base[:SHOWN]}..."
        raise OptionError(
            "BAD_OPTION", f"the base is not an absolute URL ({tried.status.name}): {shown}"
        )


def _explain(flags: Flags) -> int:
    if not flags.files:
        raise OptionError("BAD_OPTION", "explain which URL? see urlmill explain --help")
    for option in ("rules", "page_aliases"):
        if option in flags.options:
            raise Unsupported(f"explain --{option.replace('_', '-')}")
    from .explain import explained

    code = 0
    with output("-", []) as out:
        for text, is_url in explained(Normalizer(**flags.options), flags.files, flags.run):
            out.write(text.encode())
            code = code if is_url else 1
    return code


def _plan(normalizer: Normalizer, flags: Flags) -> int:
    if flags.files:
        raise OptionError("BAD_OPTION", "plan takes options alone; see urlmill plan --help")
    name = flags.run.get("output", "-")
    if name == "-" and sys.stdout.isatty():
        raise OptionError(
            "BAD_OPTION", "a plan is not text for a terminal; name a file with -o FILE"
        )
    check_zstd([], name)
    with output(name, []) as out:
        out.write(normalizer.plan)
    return _say(f"plan of {len(normalizer.plan)} bytes, profileId {normalizer.profile_id}", 0)


def _records(command: str, normalizer: Normalizer, flags: Flags) -> int:
    files, given, counts = flags.files or ["-"], flags.run, Counts()
    NOTES.begin(bool(given.get("quiet")))
    name, keep = given.get("output", "-"), keep_of(given.get("keep"))
    check_zstd(files, name)
    kind = given.get("format") or _kind_of(files, given.get("field", "url"))
    if "format" not in given:
        _check_names(files, kind)
    quotes = OpenQuotes(given.get("on_error") == "fail")
    if kind == "parquet":
        check_output(name, files)
        run_parquet(command, normalizer, given, (files, name), counts)
    else:
        form = _format(kind, given, keep, quotes)
        with earlier_keys(normalizer, given, flags.options) as earlier:
            with output(name, [*files, *files_of_set(given)], earlier is not None) as out:
                lists = ((file, lines_of(file)) for file in files)
                if keep is not None:
                    run_twice(Keeping(normalizer, given, keep, earlier), form, files, out, counts)
                elif command == "dedupe":
                    run(Dedupe(normalizer, given, earlier), form, lists, out, counts)
                else:
                    run(Normalize(normalizer, given), form, lists, out, counts)
            # A kill before may repeat rows, and loses none.
            if earlier is not None:
                earlier.record()
    quotes.report()
    _report(command, given, counts, "row" if kind == "parquet" else "line")
    if kind in ("csv", "jsonl") and counts.errors > 0 and counts.located == 0:
        raise Stopped(f"no record has {field_name(kind, given.get('field', 'url'))}")
    quotes.check()
    return 0


def _report(command: str, given: dict[str, Any], counts: Counts, record: str) -> None:
    if counts.errors == 0:
        return
    number = f"{counts.errors} {record}s are not URLs"
    if counts.errors == 1:
        number = f"1 {record} is not a URL"
    if command == "dedupe":
        kept = "compared byte by byte" if record == "line" else "compared as a whole"
    elif given.get("on_error") == "empty":
        kept = "written with an empty key"
    else:
        kept = "kept as it was" if counts.errors == 1 else "kept as they were"
    NOTES.say(f"{number}, {kept}")


def _format(kind: str, given: dict[str, Any], keep: Keep | None, quotes: OpenQuotes) -> Format:
    header, value = given.get("header"), "" if keep is None else keep.column
    field = given.get("field", "url")
    check_field(kind, given.get("field"), header)
    if value != "":
        try:
            has_names = kind != "csv" or has_header(field, header)
            check_field(kind, value, header if has_names else False)
        except OptionError as error:
            raise OptionError(error.code, f"{keep}: {error.message}") from error
    adds, delimiter = given.get("emit") == "both", _delimiter(given.get("delimiter"))
    if kind == "csv":
        return Csv(field, delimiter, header, value, quotes, adds=adds)
    return JsonLines(field, value, adds=adds) if kind == "jsonl" else Lines()


def _delimiter(text: str | None) -> str | None:
    if text is None:
        return None
    if text == "tab":
        return "\t"
    if len(text) != 1 or not text.isascii() or text in '"\r\n':
        message = f"--delimiter is one ASCII character or tab, not {json.dumps(text)}"
        raise OptionError("BAD_OPTION", message)
    return text


def _kind_of(files: list[str], field: str) -> str:
    """Return the format of the first file, in which a table with semicolons has the field.

    Raise `OptionError` for what is not a list, where neither name nor first line tells, or the first URL has a tab
    after it, and `Unsupported` for a file of a format that only the command of Node reads.
    """
    for file in files:
        if (kind := _of_name(file, _NODE_ENDINGS)) is not None:
            raise Unsupported(f"--format {kind}")
    named = _of_name(files[0], _ENDINGS)
    if named in ("csv", "parquet"):
        return named
    head = first_bytes(files[0])
    if named is None and head.startswith(PARQUET):
        return "parquet"
    text = head.removeprefix(b"\xef\xbb\xbf")
    _leave_to_node(head, files[0], named == "jsonl")
    if named == "jsonl":
        return named
    refuse_no_list(text, files[0])
    line = text.split(b"\n", 1)[0].strip()
    if _URL.match(line) and b"\t" in line:
        raise OptionError(
            "BAD_OPTION",
            "the first line has a tab after its URL: give --format lines for URLs, of which tabs are "
            "removed, or for a table --format tsv --no-header, which the command of Node reads",
        )
    if line.startswith(b"{"):
        return "jsonl"
    if not _URL.match(line) and begins_table(text, field):
        return "csv"
    if line == b"" or _URL.match(line) or (_WORD.fullmatch(line) and not _NO_LIST.match(line)):
        return "lines"
    if named == "lines" and not names_columns(line, field):
        return named
    raise OptionError(
        "BAD_OPTION",
        f"the first line of {shown_input(files[0])} does not tell the format: give --format",
    )


def _leave_to_node(head: bytes, file: str, is_named: bool) -> None:
    """Raise `Unsupported` if a file begins as what only the command of Node reads; `OptionError` for no file."""
    for begins, has_not, what in _NODE_BEGINNINGS[: 1 if is_named else None]:
        if begins.match(head):
            if file != "-" and Path(file).is_file():
                raise Unsupported(has_not)
            # It was read, so no other command can.
            raise OptionError("BAD_OPTION", f"{shown_input(file)} is {what}")


def _check_names(files: list[str], kind: str) -> None:
    """Raise `OptionError` if the name of a file tells another format."""
    for file in files:
        other = _of_name(file, _ENDINGS)
        if other not in (None, "lines", kind):
            raise OptionError(
                "BAD_OPTION",
                f"{shown_input(files[0])} is {kind}, and {file} is {other}: give --format, or one at a time",
            )


def _of_name(file: str, endings: dict[str, str]) -> str | None:
    """Return the format that the end of a file's name tells, before that of a compression."""
    name = file.lower().removesuffix(".gz")
    return next((kind for ending, kind in endings.items() if name.endswith(ending)), None)
