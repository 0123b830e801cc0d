"""URL deduplication for datatrove 0.8 and newer: `ExactDedupConfig(content_getter=UrlContent())`.

A document whose text is not a URL is not a repeat of another: it stays.

>>> from datatrove.data import Document
>>> UrlContent(preset="crawl")(Document(text="", id="1", metadata={"url": "HTTP://A/?b&a#c"}))
'http://a/?a&b'
"""

from typing import TYPE_CHECKING
from uuid import uuid4

from ._normalizer import Normalizer

if TYPE_CHECKING:
    from datatrove.data import Document  # type: ignore[import-untyped]
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName


class UrlContent:
    """Returns the normal form of a document's URL, by which datatrove compares documents. It can be pickled.

    `field` names the member of the document's metadata that has the URL. Other options are those of `Normalizer`. Each
    text that is not a URL gets a key of its own. Raises `KeyError` for a document without the member.
    """

    def __init__(
        self,
        field: str = "url",
        preset: "PresetName" = "crawl",
        **options: "Unpack[NormalizerOptions]",
    ) -> None:
        self._field = field
        self._normalizer = Normalizer(preset, **options)

    def __call__(self, document: "Document") -> str:
        """Return the key of a document."""
        url: str = document.metadata[self._field]
        return self._normalizer.try_normalize(url).url or f"{url} {uuid4().hex}"
