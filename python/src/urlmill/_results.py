"""What calls of a normalizer return, and its types."""

from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from ._status import Status

T = TypeVar("T")


class TryResult(NamedTuple):
    """Holds the result of one URL. It is true exactly if there is a `url`."""

    url: str | None
    """The normal form, or None if `status` is an error."""
    status: Status
    """What became of the URL."""

    def __bool__(self) -> bool:
        return self.url is not None


class ExplainedStep(NamedTuple):
    """Holds one step that changed the URL."""

    step: str
    """The name of the step, as docs/spec.md has it: `dotSegments`, or an option such as `trackingParams`."""
    before: str
    """The URL before the step."""
    after: str
    """The URL after the step."""
    reference: str
    """The command that says more (Node's prints the section of docs/spec.md), and that of a standard in parentheses."""


class Explanation(NamedTuple):
    """Holds what normalizing one URL does."""

    url: str | None
    """The normalized URL, or None if there is an error."""
    error: str | None
    """The code of the error, or None."""
    offset: int
    """The byte of the input at which the error is; -1 without an error."""
    steps: tuple[ExplainedStep, ...]
    """The steps that changed the URL, in their order; empty if there is an error."""


class _Batch(NamedTuple):
    """Is `NormalizedBatch` without the type of its values: before 3.11, a named tuple cannot be generic."""

    values: Any
    """The normal forms, as the kind of the batch; null for null and for what is not a URL."""
    status: Any
    """A `Status` number a row: `bytes` for lists and tuples, else uint8 as the kind of the batch."""


class _Fingerprints(NamedTuple):
    """Is `Fingerprints` without the type of its keys, as `_Batch`."""

    fingerprints: Any
    """16 or 8 bytes a row, as the kind of the batch; null where there is no normal form."""
    status: Any
    """A `Status` number a row, as `NormalizedBatch.status`."""


if TYPE_CHECKING:
    # Type checkers take a generic named tuple, and then know the types of one that is taken apart.
    class NormalizedBatch(NamedTuple, Generic[T]):
        """Holds the results of a batch."""

        values: T
        status: Any

    class Fingerprints(NamedTuple, Generic[T]):
        """Holds the fingerprints of a batch."""

        fingerprints: T
        status: Any

    class _Found(TryResult):
        url: str

        def __bool__(self) -> Literal[True]: ...

    class _Refused(TryResult):
        url: None

        def __bool__(self) -> Literal[False]: ...

    Tried = _Found | _Refused
    """What `try_normalize` returns: `if result:` tells pyright that `result.url` is text, `is not None` mypy too."""

else:

    class NormalizedBatch(_Batch, Generic[T]):
        """Holds the results of a batch, in its order: `values, status = n.normalize_batch(urls)`."""

        __slots__ = ()

    class Fingerprints(_Fingerprints, Generic[T]):
        """Holds the fingerprints of a batch, in its order: `keys, status = n.fingerprint_batch(urls)`."""

        __slots__ = ()


class _Series(Protocol):
    """Is what a Series of pandas and of polars have, and a frame and an index have not."""

    def to_list(self) -> list[Any]: ...
    def head(self, n: int = ...) -> Any: ...


class NumpyArray(Protocol):
    """Is what tells an array of numpy from a list."""

    @property
    def dtype(self) -> Any: ...
    def tolist(self) -> Any: ...


class _ArrowArray(Protocol):
    """Is what an array of pyarrow, chunked or not, has, and a table and a list have not."""

    def to_pylist(self) -> list[Any]: ...
    def unique(self) -> Any: ...


Array = NumpyArray | _ArrowArray
"""An array of numpy or pyarrow: results come back as one of the same library."""
Series = TypeVar("Series", bound=_Series)
"""A Series of pandas or polars: results come back as one of the same class."""
