"""Kernels of one plan, of which each thread has its own."""

import os
import threading
import weakref

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

    def lend(self, base: bytes, surts: bool = False) -> "_Loan":
        """Lend a kernel with a base to one call. With `surts`, rows become SURT forms.

        The kernel of a call that ends with an error is let go: an error of a signal handler may have come in the middle
        of a change of its memory.
        """
        return _Loan(self, base, surts)


class _Loan:
    """Has a kernel for one call."""

    def __init__(self, kernels: FreeKernels, base: bytes, surts: bool) -> None:
        self._kernels = kernels
        self._base = base
        self._surts = surts

    def __enter__(self) -> Kernel:
        free = self._kernels.threads.free
        self._kernel = kernel = free.pop() if free else Kernel(self._kernels.plan)
        kernel.set_base(self._base)
        kernel.writes_surts = self._surts
        return kernel

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:
            self._kernel.writes_surts = False
            self._kernels.threads.free.append(self._kernel)


def _begin_anew() -> None:
    """Let a forked process make its own kernels: one of the parent may be in the middle of a call."""
    global _lock
    _lock = threading.RLock()
    for kernels in list(_shared.values()):
        kernels.threads = _ThreadKernels()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
