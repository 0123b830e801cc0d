"""Arrow columns with a base for each row."""

from typing import Any

from ._chunks import as_bytes
from ._errors import UrlError
from ._normalizer import Normalizer
from ._policies import Errors, settle_array
from ._status import Status


def normalize_with_bases(
    normalizer: Normalizer, urls: Any, bases: Any, errors: Errors = "null"
) -> tuple[Any, Any]:
    """Normalize an array of texts, each against the base beside it; return an array of texts and one of statuses.

    A null is no base. A row whose base is not an absolute URL is an error, `BAD_BASE`. Rows with equal bases go to the
    kernel together, so many bases cost a call each, of about 60 microseconds.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = as_bytes(bases).dictionary_encode()
    order = pc.sort_indices(encoded.indices)
    sorted_urls = urls.take(order)
    runs = pc.run_end_encode(encoded.indices.take(order).cast(pa.int32()))
    values, codes, start = [], [], 0
    for end, number in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
        some = sorted_urls.slice(start, end - start)
        start = end
        base = None if number is None else encoded.dictionary[number].as_py()
        try:
            made, status = normalizer.normalize_batch(some, base)
        except UrlError:
            made = pa.nulls(len(some), some.type)
            bad = pa.scalar(Status.BAD_BASE, pa.uint8())
            status = pc.if_else(some.is_valid(), bad, pa.scalar(Status.NOT_A_STRING, pa.uint8()))
        values.append(made)
        codes.append(status)
    back = pc.sort_indices(order)
    if not values:
        values, codes = [urls], [pa.array([], pa.uint8())]
    texts = pa.concat_arrays(values).take(back)
    statuses = pa.concat_arrays(codes).take(back)
    return settle_array(urls, texts, statuses, errors), statuses
