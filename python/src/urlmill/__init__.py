"""Batch URL normalizer and deduper for crawlers: one canonical form, equal pages get equal keys.

>>> from urlmill import dedupe, normalize
>>> normalize("HTTP://Example.com:80/a/./b/../%7efoo?utm_source=x#top", "crawl")
'http://example.com/a/~foo'
>>> dedupe(["HTTP://A/?b&a", "http://a/?a&b#c"], preset="crawl")
['HTTP://A/?b&a']
"""

from ._dedupe import dedupe, normalize
from ._errors import (
    BatchError,
    CallError,
    KernelError,
    OptionError,
    PackageMissingError,
    SeenError,
    UrlError,
    UrlmillError,
)
from ._normalizer import Normalizer
from ._option_types import NormalizerOptions, PresetName, SiteOptions
from ._results import ExplainedStep, Explanation, Fingerprints, NormalizedBatch, TryResult
from ._seen import DrainedPiece, SeenSet
from ._status import Status
from ._version import __version__

__all__ = [
    "BatchError",
    "CallError",
    "DrainedPiece",
    "ExplainedStep",
    "Explanation",
    "Fingerprints",
    "KernelError",
    "NormalizedBatch",
    "Normalizer",
    "NormalizerOptions",
    "OptionError",
    "PackageMissingError",
    "PresetName",
    "SeenError",
    "SeenSet",
    "SiteOptions",
    "Status",
    "TryResult",
    "UrlError",
    "UrlmillError",
    "__version__",
    "dedupe",
    "normalize",
]
