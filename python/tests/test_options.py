"""Options as Python gives them, and what it says of those it refuses."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from small_kernel import small_normalizer

from urlmill._errors import OptionError, UrlError
from urlmill._options import NormalHost, compile_plan, normal_host_of
from urlmill._options.checks import check_option
from urlmill._options.tables import OPTION_NAMES

RULE = "example.org\t*\tdrop sid\n"
HEADER = "#urlmill-rules 1\n"


@pytest.fixture(scope="module")
def normal_host() -> NormalHost:
    return normal_host_of(small_normalizer(compile_plan({}, lambda _: None)))


def refusal(options: Mapping[str, object], normal_host: NormalHost) -> OptionError:
    with pytest.raises(OptionError) as raised:
        compile_plan(options, normal_host)
    return raised.value


def test_none_counts_as_an_option_that_is_not_given(normal_host: NormalHost) -> None:
    given = {"preset": "crawl", "allowed_schemes": None, "sites": {"a.b": {"www": None}}}
    absent = {"preset": "crawl", "sites": {"a.b": {}}}
    assert compile_plan(given, normal_host) == compile_plan(absent, normal_host)


@pytest.mark.parametrize(
    "options", [{"preset": "crawlee"}, {"sites": {"a.b": {"preset": "crawlee"}}}]
)
def test_the_keys_of_crawlee_are_not_a_preset(
    options: Mapping[str, object], normal_host: NormalHost
) -> None:
    error = refusal(options, normal_host)
    assert error.code == "BAD_OPTION"
    assert "Make them with --form crawlee of Node's command line, or with urlmill/crawlee" in str(
        error
    )


def test_a_tuple_is_as_good_as_a_list(normal_host: NormalHost) -> None:
    lists = compile_plan({"drop_params": ["b", "a"]}, normal_host)
    assert compile_plan({"drop_params": ("a", "b", "a")}, normal_host) == lists


def test_sites_that_share_a_list_have_the_plan_of_sites_with_equal_lists(
    normal_host: NormalHost,
) -> None:
    shared = ["ref"]
    one = {"a.b": {"drop_params": shared}, "c.d": {"drop_params": shared}}
    equal = {"a.b": {"drop_params": ["ref"]}, "c.d": {"drop_params": ["ref"]}}
    assert compile_plan({"sites": one}, normal_host) == compile_plan({"sites": equal}, normal_host)


@pytest.mark.parametrize("length", [2_000_000, 2e6])
def test_max_length_is_a_whole_number(length: object, normal_host: NormalHost) -> None:
    plan = compile_plan({"max_length": length}, normal_host)
    assert int.from_bytes(plan[4:8], "little") == 2_000_000


@pytest.mark.parametrize("length", [True, 0, 1.5, "9", float("nan"), float("inf"), 1 << 70])
def test_max_length_is_nothing_else(length: object, normal_host: NormalHost) -> None:
    message = refusal({"max_length": length}, normal_host).message
    assert message.endswith("expected a whole number from 1 to 67108864")


@pytest.mark.parametrize("name", OPTION_NAMES)
def test_every_option_of_typescript_is_known(name: str) -> None:
    with pytest.raises(
        OptionError, match=f"^BAD_OPTION: option {name} cannot be this object: expected"
    ):
        check_option(name, object(), name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dropParams": ["a"]}, 'there is no option "dropParams": write drop_params'),
        (
            {"sites": {"a.b": {"dropParams": ["a"]}}},
            'option sites: there is no option "dropParams" ("a.b"): write drop_params',
        ),
        ({"colour": "red"}, 'there is no option "colour"'),
        ({"engine": "js"}, 'option engine cannot be "js": expected auto, wasm'),
        ({"www_digits": 1}, "option www_digits cannot be 1: expected False, True"),
        ({"drop_params": "ref"}, 'option drop_params cannot be "ref": expected a list of'),
        ({"drop_params": [b"ref"]}, "option drop_params cannot be this list: expected a list"),
        ({"default_params": {1: "a"}}, "option default_params cannot be"),
        ({"sites": {"a.b": {"www": "x"}}}, 'option sites["a.b"]["www"] cannot be "x": expected'),
        ({"sites": {"a.b": {"max_length": 1}}}, 'max_length cannot be set for "a.b" alone'),
        ({"www": "\ud800"}, 'option www cannot be "\\ud800": expected keep, remove, add'),
        ({"rules": []}, "option rules cannot be []: expected the text of a file of rules, or"),
        ({"rules": ["#urlmill-rules 1"]}, "or paths of such files"),
    ],
)
def test_a_refused_option_is_named_as_python_writes_it(
    options: Mapping[str, object], message: str, normal_host: NormalHost
) -> None:
    error = refusal(options, normal_host)
    assert error.code == "BAD_OPTION"
    assert message in error.message


def test_rules_are_read_from_files(tmp_path: Path, normal_host: NormalHost) -> None:
    files = [tmp_path / "a.rules", tmp_path / "b.rules"]
    files[0].write_bytes(b"\xef\xbb\xbf" + (HEADER + RULE).encode())
    files[1].write_text(HEADER + "a.b\t*\tsort\n")
    one = compile_plan({"rules": HEADER + RULE}, normal_host)
    assert compile_plan({"rules": files[0]}, normal_host) == one
    both = compile_plan({"rules": f"{HEADER}{RULE}a.b\t*\tsort\n"}, normal_host)
    assert compile_plan({"rules": files}, normal_host) == both


def test_a_wrong_rule_is_named_by_file_and_line(tmp_path: Path, normal_host: NormalHost) -> None:
    files = [tmp_path / "a.rules", tmp_path / "b.rules"]
    files[0].write_text(HEADER + "a.b\t*\thost a.b => c.d\n")
    files[1].write_text(HEADER + "\nc.d\t*\thost c.d => a.b\n")
    error = refusal({"rules": files}, normal_host)
    assert error.code == "BAD_RULES"
    expected = f"line 3 of {files[1]}: hosts are moved in a circle: a.b > c.d > a.b"
    assert error.message == expected


def test_the_name_of_a_file_as_a_text_is_not_its_path(normal_host: NormalHost) -> None:
    error = refusal({"page_aliases": "lists/aliases.tsv"}, normal_host)
    assert error.code == "BAD_RULES"
    expected = (
        'aliases: "lists/aliases.tsv" is the name of a file; give its text, or a pathlib.Path'
    )
    assert error.message == expected


def test_a_file_that_is_not_utf_8_is_not_a_file_of_rules(
    tmp_path: Path, normal_host: NormalHost
) -> None:
    file = tmp_path / "latin.rules"
    file.write_bytes(HEADER.encode() + b"# caf\xe9\n")
    assert refusal({"rules": file}, normal_host).code == "BAD_RULES"


def test_a_missing_file_of_rules_is_missing(tmp_path: Path, normal_host: NormalHost) -> None:
    with pytest.raises(FileNotFoundError):
        compile_plan({"rules": tmp_path / "none"}, normal_host)


@pytest.mark.parametrize(
    "line",
    [
        '{"site": ' + "[" * 100_000,
        '{"site": ' + "9" * 10_000 + "}",
        '{"site":"a.b","condition":"*","action":"sort","evidence":{"level":"fingerprint","n":NaN,"ok":1,"lb":1}}',
        '{"site":"a.b","condition":"*","action":"sort","evidence":{"level":[],"n":1,"ok":1,"lb":1}}',
        '{"site":"a.b","condition":"*","action":"sort","evidence":{"level":"fingerprint","n":1,"ok":true,"lb":1}}',
        '{"site":"a.b","condition":"*","action":"sort","evidence":null}',
        '{"site":"a.b","condition":"*","action":"sort","why":""}',
        "a.b\t*\tsort\tE٣ n=1 ok=1 lb=1",
        "a.b\t*\tsort\tfetched n=1 ok=1 lb=1\n\n#urlmill-rules 2",
        "a.b:65536\t*\tsort",
        "a.b\t/<N>٣\tsort",
        "a.b\n\t*\tsort",
    ],
)
def test_hostile_rules_are_refused_with_a_code(line: str, normal_host: NormalHost) -> None:
    assert refusal({"rules": HEADER + line}, normal_host).code == "BAD_RULES"


def test_hosts_of_options_are_written_by_the_kernel(normal_host: NormalHost) -> None:
    written = ["BÜCHER.de", "faß.de", "voilà.fr", "0x7f.1", "::1", "[::FFFF:1.2.3.4]", "%61.b"]
    assert [normal_host(host) for host in written] == [
        "xn--bcher-kva.de",
        "xn--fa-hia.de",
        "xn--voil-3na.fr",
        "127.0.0.1",
        "[::1]",
        "[::ffff:102:304]",
        "a.b",
    ]
    for host in ["", "a b", "a:80", "[::1]:80", "1.2.3.256", "a/b", "u@a", "a\nb", "*.a", "\ud800"]:
        assert normal_host(host) is None


def test_plain_hosts_are_what_the_kernel_writes() -> None:
    normalize = small_normalizer(compile_plan({}, lambda _: None))
    random = Random(1)
    labels = ["A", "b-", "xn--a", "XN--9CA", "_", "", "1", "0x", "0Xg", "w3", "-", "x" * 64]
    for _ in range(2_000):
        host = ".".join(random.choices(labels, k=random.randint(1, 4)))
        url = normalize(f"http://{host}/") if host else None
        written = None if url is None else url.removeprefix("http://").removesuffix("/")
        assert normal_host_of(normalize)(host) == written, host


@pytest.mark.parametrize("error", [OptionError("BAD_OPTION", "why"), UrlError("BAD_HOST", 7)])
def test_errors_survive_pickling(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_an_alias_of_a_second_level_moves_no_host_in_a_circle(normal_host: NormalHost) -> None:
    def options(domain: str) -> Mapping[str, object]:
        aliases = {domain: f"www5.{domain}"}
        return {"www": "remove", "www_digits": True, "host_aliases": aliases}

    assert compile_plan(options("com.cn"), normal_host) is not None
    assert "move no host in a circle" in str(refusal(options("a.cn"), normal_host))
