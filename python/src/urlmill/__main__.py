"""Runs the command: `python -m urlmill normalize --preset crawl urls.txt`."""

import sys

from ._cli import main_of_process

sys.exit(main_of_process())
