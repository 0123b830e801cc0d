"""A host of the kernel that normalizes one URL at a time, for tests of the options compiler."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wasmtime import Engine, Instance, Module, Store

KERNEL = Path(__file__).parents[2] / "dist/kernel.wasm"
_WINDOW = 1 << 16


def small_normalizer(plan: bytes) -> Callable[[str], str | None]:
    """Return a function that gives the normalized URL, or None for a text that is not a URL."""
    engine = Engine()
    store = Store(engine)
    exports: Any = Instance(store, Module.from_file(engine, str(KERNEL)), []).exports(store)
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
