"""Instances of the kernels in wasmtime, called below wasmtime's documented interface.

A call through `wasmtime.Func` takes 10 microseconds, because it asks for the types of the function each time. The same
C function called by its address takes 0.5. This is the only module that knows wasmtime's inner names.
"""

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import wasmtime
from wasmtime import _ffi

from . import _module_cache
from ._data_files import read_kernel
from ._errors import KernelError

_SLOTS = 8
"""Numbers that a call takes at most."""
_SLOT_WORDS = 4
"""32-bit words of a slot: it has room for a vector of 128 bits."""

_Call = Callable[[int, int, int, int, int], int | None]
_ARGUMENTS = (
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
)


def _find_call() -> tuple[_Call, _Call, Callable[..., int | None]]:
    """Return three ways to call the kernel: the first lets other threads run, the others hold the GIL.

    The third takes objects of ctypes in place of numbers.
    """
    symbol = ("wasmtime_func_call_unchecked", _ffi.dll)
    try:
        return (
            ctypes.CFUNCTYPE(*_ARGUMENTS)(symbol),
            ctypes.PYFUNCTYPE(*_ARGUMENTS)(symbol),
            ctypes.PYFUNCTYPE(ctypes.c_void_p)(symbol),
        )
    except AttributeError:
        from importlib.metadata import version

        raise KernelError(
            "ENGINE_UNAVAILABLE",
            f"wasmtime {version('wasmtime')} has no {symbol[0]}: "
            "install a release that urlmill names as its dependency",
        ) from None


_call, _call_holding_gil, _call_of_objects = _find_call()


class Module:
    """Holds a module of the build. It is compiled once a process, when it is first needed."""

    def __init__(self, file: str, version_name: str, version: int) -> None:
        self.version_name = version_name
        self.version = version
        self._file = file
        # A signal handler or a finalizer that comes in while its thread compiles does so itself.
        self._lock = threading.RLock()
        self._pair: tuple[Any, Any] | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew_lock)

    def get(self) -> tuple[Any, Any]:
        """Return engine and module. Compiling the large kernel takes about 60 ms, if no earlier process has."""
        if self._pair is None:
            with self._lock:
                if self._pair is None:
                    self._pair = self._compile()
        return self._pair

    def _compile(self) -> tuple[Any, Any]:
        if sys.byteorder != "little":
            # Columns are views of the memory, whose numbers are little-endian.
            raise KernelError("ENGINE_UNAVAILABLE", "big-endian processors are not supported")
        # Raises an error for data of another release, or with other bytes.
        kernel = read_kernel(self._file)
        config = wasmtime.Config()
        # Threads that compile would be missing in a forked process.
        config.parallel_compilation = False
        try:
            engine = wasmtime.Engine(config)
            module = _module_cache.load(engine, kernel)
            if module is None:
                module = wasmtime.Module(engine, kernel)
                _module_cache.keep(module, kernel)
            return engine, module
        except wasmtime.WasmtimeError as error:
            raise KernelError(
                "ENGINE_UNAVAILABLE", f"the kernel cannot be compiled here: {error}"
            ) from error

    def _renew_lock(self) -> None:
        # The thread that held it may be missing in the forked process.
        self._lock = threading.RLock()


KERNEL = Module("kernel.wasm", "ABI_VERSION", 13)
"""The kernel that normalizes, with the version of its interface that this package speaks."""
DISK_KERNEL = Module("disk.wasm", "DISK_VERSION", 4)
"""The kernel of sets on disk."""


class Instance:
    """Runs one instance of a kernel (assembly/README.md, assembly/disk).

    One thread at a time may call it. `is_shared` says that the owner holds a lock around each call; without it, a call
    from another thread than the one that made it raises `ENGINE_FAILED`. A call that traps leaves memory in any
    state: it raises `ENGINE_FAILED`, as all later calls do.
    """

    def __init__(self, is_shared: bool = False, module: Module = KERNEL) -> None:
        engine, compiled = module.get()
        try:
            self._store = wasmtime.Store(engine)
            self._exports = wasmtime.Instance(self._store, compiled, []).exports(self._store)
        except wasmtime.WasmtimeError as error:
            raise KernelError(
                "ENGINE_UNAVAILABLE",
                f"no memory for a kernel ({error}): each reserves 4 GiB of address space, of "
                "which it uses some MB, so raise the limit (ulimit -v)",
            ) from error
        version = self.number(module.version_name)
        if version != module.version:
            raise KernelError(
                "ENGINE_FAILED",
                f"the kernel has version {version} of the interface, not {module.version}. "
                "The files of urlmill are of different versions: install it again",
            )
        self._thread = None if is_shared else threading.get_ident()
        self._failure: str | None = None
        self._memory: Any = self._exports["memory"]
        self._words = (ctypes.c_uint32 * (_SLOTS * _SLOT_WORDS))()
        self._trap = ctypes.c_void_p()
        self.slots = memoryview(self._words).cast("B").cast("I")
        self._context = ctypes.cast(self._store._context(), ctypes.c_void_p).value or 0
        self._slots_at = ctypes.addressof(self._words)
        self._trap_at = ctypes.addressof(self._trap)

    def number(self, name: str) -> int:
        """Return the value of a global, which WebAssembly hands out as a signed number."""
        value: int = self._exports[name].value(self._store)
        return value & 0xFFFFFFFF

    def memory(self) -> tuple[int, int]:
        """Return address and size of the memory in bytes; both hold until the memory grows."""
        pointer = self._memory.data_ptr(self._store)
        return ctypes.addressof(pointer.contents), self._memory.data_len(self._store)

    def function(self, name: str, holds_gil: bool = False) -> Callable[..., int]:
        """Return a function of the kernel, which takes and returns unsigned 32-bit numbers.

        Other Python threads run during a call, unless it `holds_gil`, which makes short calls faster.
        """
        raw = self._exports[name]._func
        address = ctypes.addressof(raw)
        context, slots, slots_at, trap_at = (
            self._context,
            self.slots,
            self._slots_at,
            self._trap_at,
        )
        call = _call_holding_gil if holds_gil else _call
        trap, thread, get_ident = self._trap, self._thread, threading.get_ident

        def run(*numbers: int, _keeps: object = raw) -> int:
            if self._failure is not None:
                raise self._stopped()
            if thread is not None and get_ident() != thread:
                raise _of_another_thread()
            at = 0
            for value in numbers:
                slots[at] = value
                at += _SLOT_WORDS
            error = call(context, address, slots_at, _SLOTS, trap_at)
            if error is not None or trap.value is not None:
                raise self._stop(error)
            return slots[0]

        return run

    def bound(self, name: str, number: int) -> Callable[[], None]:
        """Return a call of a function with always the same number: the fastest way, for one URL.

        Other threads wait meanwhile. Do not call it after a call failed.
        """
        raw = self._exports[name]._func
        # ctypes hands its own objects on as they are, and makes new ones of numbers.
        given = (
            ctypes.c_void_p(self._context),
            ctypes.c_void_p(ctypes.addressof(raw)),
            ctypes.c_void_p(self._slots_at),
            ctypes.c_size_t(_SLOTS),
            ctypes.c_void_p(self._trap_at),
        )
        slots, trap, call = self.slots, self._trap, _call_of_objects
        context, function, slots_at, size, trap_at = given
        thread, get_ident = self._thread, threading.get_ident

        def run(_keeps: object = raw) -> None:
            if thread is not None and get_ident() != thread:
                raise _of_another_thread()
            slots[0] = number
            error = call(context, function, slots_at, size, trap_at)
            if error is not None or trap.value is not None:
                raise self._stop(error)

        return run

    def _stop(self, error: int | None) -> KernelError:
        """Serve no further call; return the error to raise."""
        if error is not None:
            pointer = ctypes.cast(error, ctypes.POINTER(_ffi.wasmtime_error_t))
            text = str(wasmtime.WasmtimeError._from_ptr(pointer))
        else:
            pointer = ctypes.cast(self._trap.value or 0, ctypes.POINTER(_ffi.wasm_trap_t))
            text = wasmtime.Trap._from_ptr(pointer).message
            self._trap.value = None
        # The frames of a backtrace come before or after what happened, by release.
        lines = text.strip().splitlines()
        self._failure = next((line.strip() for line in lines if "trap" in line), lines[0])
        return self._stopped()

    def _stopped(self) -> KernelError:
        return KernelError(
            "ENGINE_FAILED",
            f"the kernel stopped ({self._failure}), so this call has no result. "
            "A normalizer goes on with a new kernel. A set must be made again",
        )


def _of_another_thread() -> KernelError:
    return KernelError(
        "ENGINE_FAILED",
        "this kernel belongs to another thread: let each thread use its own normalizer",
    )
