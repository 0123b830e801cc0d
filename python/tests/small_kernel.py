"""A host of the kernel that normalizes one URL at a time, for tests of the options compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wasmtime import Engine, Instance, Module, Store

KERNEL = Path(__file__).parents[2] / "dist/kernel.wasm"
_WINDOW = 1 << 16


class _Compiled(NamedTuple):
    engine: Engine
    module: Module


@cache
def _module() -> _Compiled:
    engine = Engine()
    return _Compiled(engine, Module.from_file(engine, str(KERNEL)))


def normalize_urls(plan: bytes, urls: Sequence[str]) -> list[str | None]:
    """Return the normalized URLs under a plan, None for errors."""
    normalize = small_normalizer(plan)
    return [normalize(url) for url in urls]


def small_normalizer(plan: bytes) -> Callable[[str], str | None]:
    """Return a function that gives the normalized URL, or None for a text that is not a URL."""
    module = _module()
    store = Store(module.engine)
    exports: Any = Instance(store, module.module, []).exports(store)
    memory = exports["memory"]

    def number(name: str) -> int:
        value: int = exports[name].value(store)
        return value & 0xFFFFFFFF

    assert exports["reserve"](store, len(plan), 0, _WINDOW, 1)
    memory.write(store, plan, number("planStart"))
    assert exports["loadPlan"](store) == 1
    exports["loadBase"](store, 0)

    def normalize(url: str) -> str | None:
        line = url.encode() + b"\n"
        assert len(line) <= _WINDOW
        assert line.count(b"\n") == 1
        memory.write(store, line, number("inputStart"))
        assert exports["normalizeLines"](store, len(line), 1) == 1
        if number("failedRows") == 1:
            return None
        start = number("outputStart")
        written = bytes(memory.read(store, start, start + number("written")))
        return written.decode().removesuffix("\n")

    return normalize
