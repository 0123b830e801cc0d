"""What `dedupe` refuses of a stream: Spark would fail in its own words, or repeat rows after a restart."""

from typing import TYPE_CHECKING

from ._errors import OptionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NO_KEY = (
    "key: a stream needs a key that outlives the process: with a random one every URL would be new after a restart. "
    'Make it once with open("crawl.key", "xb").write(os.urandom(16)), '
    'and give key=open("crawl.key", "rb").read()'
)
_KEEP = (
    'keep: only "any" can be kept of a stream, which has no last row. To compare the rows of each batch, '
    "give writeStream.foreachBatch a function that calls dedupe(batch, keep=...)"
)
_SEEN = "seen: is a stream, and Spark looks up keys only in tables: read it with spark.read"
_NOT_COMPARED = (
    "df: has a column of maps, variants or types of users, or two names that differ only in upper and lower case. "
    "Rows of a stream without a URL must be compared: leave the column out, or make text of it with F.to_json"
)


def check_stream(key: bytes | None, keeps_any: bool, seen: "DataFrame | None") -> None:
    """Raise `OptionError` for a call of `dedupe` that no stream can serve."""
    if not keeps_any:
        raise OptionError("BAD_OPTION", _KEEP)
    if key is None:
        raise OptionError("BAD_OPTION", _NO_KEY)
    if seen is not None and seen.isStreaming:
        raise OptionError("BAD_OPTION", _SEEN)


def not_compared() -> OptionError:
    """Return the error for a stream whose rows cannot be compared as a whole."""
    return OptionError("BAD_OPTION", _NOT_COMPARED)
