"""Names of Spark's columns, which may have dots, backticks and any other character."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    ColumnOrName = Column | str


def quoted(name: str) -> str:
    """Return a name as Spark reads it whole: a dot in it would else lead to a field of a struct."""
    return f"`{name.replace('`', '``')}`"


def in_table(df: "DataFrame", column: "ColumnOrName") -> "ColumnOrName":
    """Return the column of the table that has exactly this name; leave another to Spark, as `struct.field`."""
    if isinstance(column, str) and column in df.columns:
        return quoted(column)
    return column


def is_only_column(df: "DataFrame", column: "ColumnOrName") -> bool:
    """Say whether a name is that of the single column of a table. Spark does not tell upper case from lower."""
    if not isinstance(column, str) or len(df.columns) != 1:
        return False
    (name,) = df.columns
    return column.lower() in (name.lower(), quoted(name).lower())
