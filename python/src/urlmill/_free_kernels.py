"""Kernels of one plan, of which each thread has its own."""

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from ._kernel import Kernel

_shared: "weakref.WeakValueDictionary[bytes, FreeKernels]" = weakref.WeakValueDictionary()
# A signal handler or a finalizer may come in while its thread holds the lock.
_lock = threading.RLock()


class _ThreadKernels(threading.local):
    """Holds the kernels of one thread that no call uses."""

    def __init__(self) -> None:
        self.free: list[Kernel] = []


class FreeKernels:
    """Keeps the kernels of one plan.

    Normalizers with equal plans share them. A call that is made while another one of the same thread runs, from a
    signal handler or a finalizer, takes a kernel of its own. A forked process makes its own.
    """

    def __init__(self, plan: bytes) -> None:
        self.plan = plan
        self.threads = _ThreadKernels()

    @staticmethod
    def of(plan: bytes) -> "FreeKernels":
        """Return the kernels of a plan."""
        with _lock:
            kernels = _shared.get(plan)
            if kernels is None:
                kernels = _shared[plan] = FreeKernels(plan)
            return kernels

    @contextmanager
    def lend(self, base: bytes, surts: bool = False) -> Iterator[Kernel]:
        """Lend a kernel with a base to one call; let go of one that failed. With `surts`, rows become SURT forms."""
        free = self.threads.free
        kernel = free.pop() if free else Kernel(self.plan)
        try:
            kernel.set_base(base)
            kernel.writes_surts = surts
            yield kernel
        finally:
            kernel.writes_surts = False
            if not kernel.instance.has_failed:
                free.append(kernel)


def _begin_anew() -> None:
    """Let a forked process make its own kernels: one of the parent may be in the middle of a call."""
    global _lock
    _lock = threading.RLock()
    for kernels in list(_shared.values()):
        kernels.threads = _ThreadKernels()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
