"""Columns that the package for Java makes within Spark's own process, where its jar is there.

No row goes to a worker of Python. Results are the same bytes: both run one kernel, of one release.
"""

from typing import TYPE_CHECKING, Any

from ._errors import OptionError
from ._normalizer import Normalizer
from ._version import __version__

if TYPE_CHECKING:
    from pyspark.sql import Column

    from ._option_types import NormalizerOptions, PresetName

    ColumnOrName = Column | str


def normalized(
    url: "ColumnOrName", preset: "PresetName", options: "NormalizerOptions"
) -> "Column | None":
    """Return the normal forms of a column, or None without the jar."""
    found = _url_columns()
    if found is None:
        return None
    return _column(found.normalize(_java_column(url), Normalizer(preset, **options).plan))


def fingerprints(
    url: "ColumnOrName",
    preset: "PresetName",
    key: bytes,
    bits: int,
    options: "NormalizerOptions",
) -> "Column | None":
    """Return the fingerprints of a column, or None without the jar."""
    found = _url_columns()
    if found is None:
        return None
    plan = Normalizer(preset, **options).plan
    return _column(found.fingerprint(_java_column(url), plan, bytes(key), bits))


def _url_columns() -> Any:
    """Return `UrlColumns` of the jar. None without it, in a task, and in Spark Connect, whose JVM is elsewhere.

    Raise `BAD_OPTION` for a jar of another release, whose keys may differ.
    """
    from pyspark import SparkContext
    from pyspark.sql.utils import is_remote

    context: Any = SparkContext._active_spark_context
    if context is None or is_remote():
        return None
    found = context._jvm.io.github.urlmill.spark.UrlColumns
    # Without the jar, this is the name of a package.
    if type(found).__name__ != "JavaClass":
        return None
    version = found.version()
    if version != __version__:
        raise OptionError(
            "BAD_OPTION",
            f"urlmill-{version}-all.jar: is of another release than this package, {__version__}: "
            "take both of one release, because their keys may differ",
        )
    return found


def _java_column(url: "ColumnOrName") -> Any:
    from pyspark.sql import functions as f

    column: Any = f.col(url) if isinstance(url, str) else url
    return column._jc


def _column(made: Any) -> "Column":
    from pyspark.sql import Column

    make: Any = Column
    column: Column = make(made)
    return column
