"""Functions of Spark's columns, made of functions of arrays of pyarrow."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._errors import OptionError

if TYPE_CHECKING:
    from pyspark.sql import Column

    ColumnOrName = Column | str

Stream = Iterator[tuple[Any, ...]]
"""The columns of each batch of a task, as arrays of pyarrow."""


def make_function(function: Callable[..., Any], kind: str) -> Any:
    """Make a function of columns from one of arrays. It has the name of `function`."""
    known = _functions()
    if hasattr(known, "arrow_udf"):
        # Spark reads the annotations of functions and does not know these types.
        function.__annotations__ = {}
        return known.arrow_udf(function, kind)
    import pandas as pd

    def of_series(*columns: Any) -> Any:
        return function(*_arrays(columns)).to_pandas()

    of_series.__annotations__ = {"columns": pd.Series, "return": pd.Series}
    of_series.__name__ = function.__name__
    return known.pandas_udf(of_series, kind)


def make_stream_function(
    function: Callable[[Stream], Iterator[Any]], kind: str, columns: int
) -> Any:
    """Make a function of so many columns from one that takes all batches of a task, one after the other.

    What it gives for a row may depend on the rows before, so Spark calls it once for each and moves no filter past it.
    """
    known = _functions()
    if hasattr(known, "arrow_udf"):
        import pyarrow as pa

        def of_batches(batches: Any) -> Any:
            return function(each if isinstance(each, tuple) else (each,) for each in batches)

        of_batches.__annotations__ = _annotations(pa.Array, columns)
        of_batches.__name__ = function.__name__
        return known.arrow_udf(of_batches, kind).asNondeterministic()
    import pandas as pd

    def of_series(batches: Any) -> Any:
        given = (_arrays(each if isinstance(each, tuple) else (each,)) for each in batches)
        return (result.to_pandas() for result in function(given))

    of_series.__annotations__ = _annotations(pd.Series, columns)
    of_series.__name__ = function.__name__
    return known.pandas_udf(of_series, kind).asNondeterministic()


def call_function(function: Any, url: "ColumnOrName", base: "ColumnOrName | None") -> "Column":
    """Return what a function makes of a column of text, or of two."""
    from pyspark.sql import functions as f

    columns = [url] if base is None else [url, base]
    if hasattr(f, "arrow_udf"):
        made: Column = function(*columns)
        return made
    # Spark makes pandas of text before it calls the function, and stops at bytes that are not UTF-8.
    texts = [f.col(each) if isinstance(each, str) else each for each in columns]
    made = function(*(each.cast("binary") for each in texts))
    is_named = all(isinstance(each, str) for each in columns)
    return made.alias(f"{function.__name__}({', '.join(map(str, columns))})") if is_named else made


def _functions() -> Any:
    from pyspark import TaskContext
    from pyspark.sql import functions

    if TaskContext.get() is not None:
        raise OptionError(
            "BAD_OPTION",
            "functions of urlmill.spark make columns and take no rows: for SQL, "
            "call urlmill.spark.register(spark) in place of spark.udf.register",
        )
    return functions


def _arrays(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return Series of bytes as arrays of text: Arrow checks what it makes of text, but not what it takes for it."""
    import pyarrow as pa

    arrays = (pa.array(each, pa.binary(), from_pandas=True) for each in columns)
    return tuple(array.view("string") for array in arrays)


def _annotations(kind: Any, columns: int) -> dict[str, Any]:
    iterator: Any = Iterator
    batch: Any = kind if columns == 1 else tuple[kind, ...]
    return {"batches": iterator[batch], "return": iterator[kind]}
