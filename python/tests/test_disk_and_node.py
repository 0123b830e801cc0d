"""Sets on disk that Python and Node have in turn."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_disk import LONG, MEMORY, Model, some_urls

from urlmill import Normalizer, OptionError, SeenError, SeenSet
from urlmill._options.options_in_node import options_in_node
from urlmill._wasm import DISK_KERNEL

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sets on disk need flock")
ROOT = Path(__file__).parents[2]
SCRIPT = "python/tests/disk_set.mjs"
RECORD = {
    "version": 1,
    "profileId": "",
    "bits": 128,
    "call": "",
    "inputs": [],
    "outputs": [["out", "1", "2", "3", "4"]],
}
Steps = list[tuple[str, Any]]
Run = Callable[..., Any]


@pytest.fixture
def in_node(node: Callable[..., bytes], tmp_path: Path) -> Run:
    def run(steps: Steps, options: dict[str, Any] | None = None, immediate: bool = True) -> Any:
        settings = {"path": str(tmp_path / "set"), "memory": MEMORY, "immediate": immediate}
        request = {**settings, "options": options or {}, "steps": steps}
        return json.loads(node(SCRIPT, data=json.dumps(request).encode()))

    return run


@pytest.fixture
def in_python(tmp_path: Path) -> Run:
    """Do what disk_set.mjs does."""

    def drain(seen: SeenSet, most: int) -> list[Any]:
        pieces: list[Any] = []
        for row, answers, payloads, commit in seen.drain():
            texts = None if payloads is None else [payload.decode() for payload in payloads]
            pieces.append([row, list(answers), texts])
            if len(pieces) <= most:
                commit()
        return pieces

    calls: dict[str, Callable[[SeenSet, Any], Any]] = {
        "add": lambda seen, urls: list(seen.add_batch(urls)),
        "has": lambda seen, urls: list(seen.has_batch(urls)),
        "enqueue": lambda seen, given: seen.enqueue_batch(given[0], payload=given[1]),
        "drain": drain,
        "size": lambda seen, _: len(seen),
        "identity": lambda seen, _: seen.key.hex(),
    }

    def run(steps: Steps, options: dict[str, Any] | None = None, immediate: bool = True) -> Any:
        path, given = tmp_path / "set", options or {}
        try:
            with SeenSet.open(
                path, store="disk", memory=MEMORY, immediate=immediate, fsync="close", **given
            ) as seen:
                return [calls[name](seen, argument) for name, argument in steps]
        except SeenError as error:
            return {"code": error.code, "message": error.message}

    return run


@pytest.mark.parametrize("seed", range(8 if LONG else 2))
def test_each_goes_on_where_the_other_stopped(seed: int, in_node: Run, in_python: Run) -> None:
    chance, model = random.Random(seed), Model()
    expected: list[int] = []
    payloads: list[str] = []
    settled = 0
    for turn in range(24 if LONG else 10):
        immediate = chance.randrange(3) > 0
        steps, answers = [], list[Any]()
        for _ in range(1 + chance.randrange(3)):
            urls = some_urls(chance, 90_000 if chance.randrange(4) == 0 else 300, 400_000)
            kind = chance.choice(["add", "has", "enqueue"] if immediate else ["enqueue"])
            if kind == "enqueue":
                payload = chance.choice(["url", None])
                steps.append((kind, [urls, payload]))
                answers.append(len(expected))
                expected += model.add(urls)
                payloads += urls if payload else [""] * len(urls)
            else:
                steps.append((kind, urls))
                answers.append(model.add(urls) if kind == "add" else model.has(urls))
        if chance.randrange(2) == 0:
            steps.append(("drain", chance.choice([0, 1, 1000])))
        result = (in_node if turn % 2 == seed % 2 else in_python)(steps, immediate=immediate)
        if steps[-1][0] == "drain":
            assert result[:-1] == answers
            at = settled
            for number, (row, piece, texts) in enumerate(result[-1], 1):
                end = at + len(piece)
                assert row == at
                assert piece == expected[at:end]
                assert texts in (None, payloads[at:end])
                at = end
                if number <= steps[-1][1]:
                    settled = at
            assert at == len(expected)
        else:
            assert result == answers
    steps = [("drain", 0), ("size", None)]
    in_the_end = [in_python(steps), in_node(steps)]
    assert in_the_end[0] == in_the_end[1]
    assert in_the_end[0][1] == len(model.seen)


def test_both_refuse_the_same_with_the_same_words(
    in_node: Run, in_python: Run, tmp_path: Path
) -> None:
    key = in_python([("identity", None), ("add", ["http://a/?b&a"])], {"preset": "crawl"})[0]
    assert in_node([("identity", None), ("has", ["http://a/?a&b"])], {"preset": "crawl"}) == [
        key,
        [1],
    ]
    assert in_python([])["code"] == "SEEN_MISMATCH"
    assert in_node([]) == in_python([])
    for head in ("set.json", "data.mdb"):
        (tmp_path / "set" / head).touch()
        assert "interrupted" in str(in_python([]))
        assert in_node([]) == in_python([])
        (tmp_path / "set" / head).rename(tmp_path / head)
    for name in ("manifest", "log.1"):
        (tmp_path / "set" / name).unlink()
    for head in ("set.json", "data.mdb", "other"):
        (tmp_path / "set" / head).touch()
        assert in_node([]) == in_python([])
        assert in_python([])["code"] == "SEEN_CORRUPT"
        (tmp_path / "set" / head).unlink()
    shutil.rmtree(tmp_path / "set")
    key = in_node([("identity", None)], {"preset": "crawl", "dropParams": ["ref"]})[0]
    options = {"preset": "crawl", "drop_params": ["ref"]}
    assert in_python([("identity", None)], options) == [key]
    assert in_node([], {"preset": "crawl"}) == in_python([], {"preset": "crawl"})
    assert "SEEN_MISMATCH" in str(in_node([], {"preset": "crawl"}))


OPTIONS: list[dict[str, Any]] = [
    {},
    {"preset": "crawl", "max_length": 1e6, "engine": "wasm"},
    {"directory_index": True, "default_params": {"a": "1"}, "keep_params": ("a", "ü")},
    {"sites": {"a.example": {"trailing_slash": "add", "drop_params": ["b"]}}, "www_digits": True},
    {"rules": "#urlmill-rules 1\n", "page_aliases": "#urlmill-aliases 1\n", "preset": None},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_are_written_as_node_writes_them(
    options: dict[str, Any], in_node: Run, tmp_path: Path
) -> None:
    SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY, **options).close()
    made = json.loads(json.dumps(options_in_node(options)))
    assert made == _written(tmp_path / "set")
    given = {**made, **{name: options.get(snake) for name, snake in FILES.items()}}
    own = {name: value for name, value in given.items() if value is not None}
    assert in_node([], own) == []
    shutil.rmtree(tmp_path / "set")
    assert in_node([], own) == []
    # Node lists the options of its preset that the request spells out.
    assert _written(tmp_path / "set") == made


FILES = {"rules": "rules", "pageAliases": "page_aliases"}


def _written(path: Path) -> Any:
    """Return the options in a manifest."""
    text = (path / "manifest").read_bytes()
    beginning = json.JSONDecoder().raw_decode(text[32:2000].decode("latin1"))[0]
    return json.loads(beginning["identity"].encode("latin1").decode())["options"]


def test_the_lock_holds_between_node_and_python(
    in_python: Run, in_node: Run, tmp_path: Path
) -> None:
    with SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY) as seen:
        seen.add("http://a/")
        assert in_node([("add", ["http://b/"])])["code"] == "SEEN_LOCKED"
    assert in_node([("add", ["http://a/"])]) == [[0]]
    program = shutil.which("node")
    assert program is not None
    request = {
        "path": str(tmp_path / "set"),
        "memory": MEMORY,
        "options": {},
        "steps": [["hold", 0]],
    }
    command = [program, str(ROOT / SCRIPT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdin.write(json.dumps(request).encode())
        holder.stdin.close()
        assert holder.stdout.readline() == b"open\n"
        refused = in_python([])
        holder.kill()
    assert refused["code"] == "SEEN_LOCKED"
    assert f"(process {holder.pid} on " in refused["message"]
    assert in_python([("add", ["http://a/"])]) == [[0]]


def test_the_kernel_is_of_the_version_that_node_runs() -> None:
    source = (ROOT / "assembly/disk/memory.ts").read_text()
    assert f"DISK_VERSION: i32 = {DISK_KERNEL.version};" in source


def test_an_option_that_a_plan_hides_is_named_by_its_digest(tmp_path: Path) -> None:
    from urlmill import Normalizer

    made = Normalizer(plan=Normalizer("crawl").plan)
    SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY, normalizer=made).close()
    assert _written(tmp_path / "set")["plan"].startswith("sha256:")
    with pytest.raises(SeenError, match='plan was "sha256:'):
        SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY)
    with pytest.raises(OptionError):
        SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY, normalizer=made, preset="safe")


@pytest.mark.parametrize("is_committed", [True, False])
def test_keys_of_a_run_of_the_command_are_added_or_removed(
    is_committed: bool, node: Callable[..., bytes], tmp_path: Path
) -> None:
    urls = [f"http://h{number}/" for number in range(1000)]
    (tmp_path / "list").write_text("".join(f"{url}\n" for url in urls))
    (tmp_path / "empty").write_text("")
    flags = ("dedupe", "--seen", str(tmp_path / "set"), "--store", "disk", "-o")
    node("dist/cli/main.js", *flags, str(tmp_path / "out"), str(tmp_path / "empty"))
    shutil.copytree(tmp_path / "set", tmp_path / "before")
    node("dist/cli/main.js", *flags, str(tmp_path / "out"), str(tmp_path / "list"))
    assert (tmp_path / "out").read_text() == (tmp_path / "list").read_text()
    # As the run was before its keys were added.
    record = next((tmp_path / "set").glob("run-*.json"))
    keys = json.loads(record.read_text())["keys"]
    with SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY) as seen:
        fingerprints = seen.normalizer.fingerprint_batch(urls, key=seen.key)
    shutil.rmtree(tmp_path / "set")
    (tmp_path / "before").rename(tmp_path / "set")
    (tmp_path / "set" / keys["name"]).write_bytes(b"".join(fingerprints.fingerprints))
    if is_committed:
        made = {**RECORD, "profileId": Normalizer().profile_id, "keys": keys}
        (tmp_path / "set" / record.name).write_text(json.dumps(made))
    with SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY, immediate=False) as seen:
        assert len(seen) == (1000 if is_committed else 0)
    assert not list((tmp_path / "set").glob("*.keys"))
    with SeenSet.open(tmp_path / "set", store="disk", memory=MEMORY) as seen:
        assert list(seen.has_batch(urls)) == [int(is_committed)] * 1000


@pytest.mark.parametrize(
    "damage",
    [
        {"keys": {"name": "run-1-00000000.keys", "bytes": 16, "checksum": 1}},
        {"keys": {"name": "../x", "bytes": 16, "checksum": 1}},
        {"keys": None},
        {"version": 2},
        {"bits": 64},
        {"profileId": "0123456789abcdef"},
    ],
)
def test_a_damaged_record_of_a_run_is_refused(
    damage: dict[str, Any], in_node: Run, in_python: Run, tmp_path: Path
) -> None:
    in_python([("add", ["http://a/"])])
    keys = {"name": "run-1-00000000.keys", "bytes": 16, "checksum": 0}
    record = {**RECORD, "profileId": Normalizer().profile_id, "keys": keys, **damage}
    (tmp_path / "set" / "run-1-00000000.keys").write_bytes(bytes(16))
    (tmp_path / "set" / f"run-{'0' * 32}.json").write_text(json.dumps(record))
    assert in_python([])["code"] == "SEEN_CORRUPT"
    assert in_node([]) == in_python([])
