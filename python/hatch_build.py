"""Stops a build of the package in a tree that has no kernel yet."""

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REMEDY = "run `npm ci && npm run build` in the root of the project first"


class KernelIsThere(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        data = Path(self.root, "src", "urlmill", "_data")
        names = ("kernel.wasm", "disk.wasm", "versions.json")
        needed = [*(data / name for name in names), data.parent / "_option_types.py"]
        if not all(file.is_file() for file in needed):
            sys.exit(f"urlmill cannot be built: {data} has no kernel; {REMEDY}")
        built = json.loads((data / "versions.json").read_text())["urlmill"]
        if built != self.metadata.version:
            sys.exit(
                f"urlmill {self.metadata.version} cannot be built: "
                f"the kernel in {data} is of {built}; {REMEDY}"
            )
