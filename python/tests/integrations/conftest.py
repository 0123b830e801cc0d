import gzip
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[3] / "test" / "fixtures"


@pytest.fixture(scope="session")
def urls() -> list[str]:
    """Return 5,000 real URLs."""
    with gzip.open(FIXTURES / "urls-50k.txt.gz", "rt", encoding="latin-1") as file:
        return file.read().split("\n")[:5000]
