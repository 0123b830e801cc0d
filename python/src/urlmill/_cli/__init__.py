"""The command `urlmill` without Node: lines, CSV, JSON lines and Parquet (`python -m urlmill --help`)."""

from .command import main, main_of_process

__all__ = ["main", "main_of_process"]
