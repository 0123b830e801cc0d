"""What becomes of rows that are not URLs: the option `errors`."""

from collections.abc import Sequence
from itertools import compress
from math import isnan
from typing import Any, Literal

from ._errors import OptionError, UrlError
from ._status import Status
from ._texts import IS_ERROR

Errors = Literal["null", "keep", "raise"]
_POLICIES = ("null", "keep", "raise")


def check_policy(errors: str) -> None:
    """Raise `BAD_OPTION` for another word."""
    if errors not in _POLICIES:
        raise OptionError("BAD_OPTION", f"errors: must be one of {', '.join(_POLICIES)}")


def settle_texts(given: Sequence[object], values: list[Any], codes: bytes, errors: Errors) -> None:
    """Do with rows of text as the policy says. A missing value stays None."""
    if errors == "null":
        return
    for row in compress(range(len(codes)), codes.translate(IS_ERROR)):
        if not _is_missing(given[row]):
            if errors == "raise":
                raise UrlError(Status(codes[row]).name, -1, given[row])
            values[row] = given[row]


def _is_missing(value: object) -> bool:
    """Say whether a row of a list or column has no value: None, or what numpy and pandas have for it."""
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ == "NAType"


def settle_array(given: Any, values: Any, codes: Any, errors: Errors) -> Any:
    """Do the same with an Arrow array. Return its values."""
    if errors == "null" or values.null_count == given.null_count:
        return values
    if errors == "keep":
        return _coalesced(values, given)
    import pyarrow as pa
    import pyarrow.compute as pc

    row = pc.greater(statuses_of(codes), pa.scalar(Status.CHANGED, pa.uint8())).index(True).as_py()
    if row < 0:
        # A null is among the values of a dictionary, where `given.null_count` does not count it.
        return values
    raise UrlError(Status(codes[row].as_py()).name, -1, _text_of(given.slice(row, 1)))


def _text_of(array: Any) -> Any:
    """Return the only row of an array. It is bytes if it is not UTF-8."""
    from ._chunks import as_bytes

    try:
        return array[0].as_py()
    except UnicodeDecodeError:
        return as_bytes(array)[0].as_py()


def statuses_of(codes: Any) -> Any:
    """Return the status of rows of an Arrow column, null for null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_null = pc.equal(codes, pa.scalar(Status.NOT_A_STRING, pa.uint8()))
    return pc.if_else(is_null, pa.scalar(None, pa.uint8()), codes)


def errors_of(codes: Any) -> Any:
    """Return the code of the error of rows of an Arrow column, such as BAD_HOST; null for a URL and for null."""
    import pyarrow as pa

    no_error = (Status.UNCHANGED, Status.CHANGED, Status.NOT_A_STRING)
    names = [None if code in no_error else code.name for code in Status]
    return pa.array(names, pa.string()).take(codes)


def _coalesced(values: Any, given: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    from ._chunks import plain_text

    kind = values.type
    if not pa.types.is_dictionary(kind):
        # Arrow has no such function of views.
        texts = plain_text(values)
        return pc.coalesce(texts, plain_text(given).cast(texts.type)).cast(kind)
    texts = pc.coalesce(values.dictionary_decode(), given.dictionary_decode().cast(kind.value_type))
    encoded = texts.dictionary_encode()
    indices = encoded.indices.cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(indices, encoded.dictionary, ordered=kind.ordered)
