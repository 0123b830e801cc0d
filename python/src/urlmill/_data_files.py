"""Files that the project's build writes: the kernels, the plans of presets, and their versions."""

import hashlib
import json
from functools import cache
from pkgutil import get_data
from typing import TypedDict

from ._errors import KernelError
from ._version import __version__


class Preset(TypedDict):
    """Says what Node makes of a preset."""

    plan: str
    profileId: str


class Versions(TypedDict):
    """Holds the versions that the build wrote, from Node's own exports."""

    urlmill: str
    plans: list[int]
    spec: int
    unicode: str
    sha256: dict[str, str]
    presets: dict[str, Preset]


def read_data(name: str) -> bytes:
    """Read a file of the build. Raise `ENGINE_UNAVAILABLE` if the package was not built."""
    try:
        data = get_data("urlmill", f"_data/{name}")
    except FileNotFoundError:
        data = None
    if data is None:
        raise KernelError(
            "ENGINE_UNAVAILABLE",
            f"the package has no {name}: run `npm ci && npm run build` in the project, "
            "then install the package again",
        )
    return data


def read_kernel(name: str) -> bytes:
    """Read a kernel. Raise `ENGINE_FAILED` if its bytes are not those that the build wrote."""
    kernel = read_data(name)
    if hashlib.sha256(kernel).hexdigest() != versions()["sha256"][name]:
        raise KernelError(
            "ENGINE_FAILED", f"{name} is not the file that was built: install the package again"
        )
    return kernel


@cache
def versions() -> Versions:
    """Return the versions of the data. Raise `ENGINE_FAILED` for data of another release."""
    read: Versions = json.loads(read_data("versions.json"))
    if read["urlmill"] != __version__:
        raise KernelError(
            "ENGINE_FAILED",
            f"the package is of version {__version__} and its kernel of {read['urlmill']}: "
            "install the package again",
        )
    return read
