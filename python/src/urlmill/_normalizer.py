"""The normalizer."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from ._base import Bases
from ._batches import Batch, Keys, read_batch
from ._data_files import read_data, versions
from ._errors import OptionError, UrlError
from ._fingerprints import check_fingerprint_options, fingerprint_rows
from ._free_kernels import FreeKernels
from ._kernel import KEY_BYTES, Kernel, check_plan, plan_of_form
from ._lists import normalize_list
from ._option_types import OPTION_TEXTS
from ._policies import Errors, check_policy, settle_array, settle_texts
from ._results import (
    Array,
    Explanation,
    Fingerprints,
    NormalizedBatch,
    Series,
    TryResult,
)
from ._status import Status
from ._surt import to_surt
from ._texts import Text, utf8

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import NormalizerOptions, PresetName
    from ._results import Tried


class Normalizer:
    """Turns URLs into their canonical form. No result depends on an earlier call.

    `Normalizer(preset="crawl", drop_params=["ref"])` takes the options of the Node package in snake_case; without
    `preset` it works as `safe`. `Normalizer(plan=...)` takes what `urlmill plan` wrote: a path or the bytes.
    Raises `OptionError` for an option that it does not know or cannot take.

    Options: preset, engine, default_scheme, accept, max_length, allowed_schemes, host_aliases, directory_index,
    keep_params, drop_params, default_params, rules, page_aliases, sites, scheme, trailing_dot, explicit_port,
    www, www_digits, userinfo, session_ids, case, duplicate_slashes, trailing_slash, param_case,
    tracking_params, empty_params, empty_values, repeated_params, valueless_params, sort_query, empty_query,
    fragment.

    Threads may share a normalizer: each gets a kernel of its own. So does a forked process. A normalizer can be
    pickled; it takes its fingerprint key along, so that keys made in many processes compare. Normalizers are equal if
    they give equal normal forms for all URLs by their options; the fingerprint key does not count.

    >>> n = Normalizer(preset="crawl")
    >>> n.normalize("HTTP://Example.com/b?utm_source=x&a=1#top")
    'http://example.com/b?a=1'
    """

    def __init__(
        self,
        preset: "PresetName | None" = None,
        *,
        plan: "str | os.PathLike[str] | bytes | None" = None,
        **options: "Unpack[NormalizerOptions]",
    ) -> None:
        if plan is None:
            given = dict[str, Any](options)
            name = "safe" if preset is None else preset
            try:
                compiled = _compile(name, given)
            except OptionError as error:
                # Where the error was found in here helps nobody.
                raise error.with_traceback(None) from None
            self._set(name, given, compiled)
            return
        if preset is not None or options:
            raise OptionError(
                "BAD_OPTION", "plan: has all options in it, so give no preset and no other option"
            )
        if not isinstance(plan, (bytes, bytearray)):
            from pathlib import Path

            plan = Path(plan).read_bytes()
        self._set(None, {}, check_plan(bytes(plan)))
        self._check_kernel()

    def _set(self, preset: "PresetName | None", options: dict[str, Any], plan: bytes) -> None:
        self._preset = preset
        self._options = options
        self._plan = plan
        self._kernels = FreeKernels.of(plan)
        self._forms: dict[int, FreeKernels] = {}
        self._bases = Bases(plan)
        self._profile_id: str | None = None
        # Made here and not when it is first asked for: threads that ask at once, and forked processes, get one key.
        self._key = os.urandom(KEY_BYTES)

    def _check_kernel(self) -> None:
        """Raise `BAD_OPTION` for a plan that the kernel refuses."""
        with self._kernels.lend(b""):
            pass

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the plan and the key: another process need not compile the options again."""
        return _restore, (self._preset, self._options, self._plan, self.fingerprint_key)

    def __repr__(self) -> str:
        if self._preset is None:
            return f"Normalizer(plan=<{len(self._plan)} bytes>)"
        options = {"preset": self._preset, **self._options}
        return f"Normalizer({', '.join(f'{name}={value!r}' for name, value in options.items())})"

    def __eq__(self, other: object) -> bool:
        return self._plan == other._plan if isinstance(other, Normalizer) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._plan)

    @property
    def preset(self) -> str | None:
        """Return the name of the preset, None where the plan was given."""
        return self._preset

    @property
    def options(self) -> dict[str, Any]:
        """Return a copy of the options besides the preset, in snake_case as they were given."""
        return dict(self._options)

    @property
    def plan(self) -> bytes:
        """Return the plan: what the options compile to, for the kernel in another runtime."""
        return self._plan

    @property
    def profile_id(self) -> str:
        """Return a short name for everything that a result depends on besides the input.

        It is that of Node for equal options. Store it with keys that outlive the process: keys of two ids do not
        compare.

        >>> len(Normalizer().profile_id)
        16
        """
        if self._profile_id is None:
            self._profile_id = _profile_id(self._plan)
        return self._profile_id

    @property
    def fingerprint_key(self) -> bytes:
        """Return the key of fingerprints: 16 bytes, random for each normalizer, and kept in its pickle.

        Store it with fingerprints that outlive the process. Keep it secret from whoever picks the URLs.
        """
        return self._key

    def normalize(self, url: Text, base: Text | None = None) -> str:
        """Return the canonical form of one URL, which is `str`, or `bytes` as UTF-8.

        A lone surrogate in a `str` is read as U+FFFD. Raises `UrlError` with the code and byte offset of what is wrong
        in the URL, and code `BAD_BASE` if the base is not an absolute URL.

        >>> Normalizer().normalize("../c", "http://example.com/a/b/")
        'http://example.com/a/c'
        """
        code, written, offset = self._one(url, b"" if base is None else self._bases.resolve(base))
        if written is None:
            raise UrlError(Status(code).name, offset, url)
        return written

    def try_normalize(self, url: Text, base: Text | None = None) -> "Tried":
        """Normalize one URL and report an error as a status; nothing in `url` or `base` raises.

        >>> Normalizer().try_normalize("http://1.2.3.256/")
        TryResult(url=None, status=<Status.BAD_IPV4: 7>)
        """
        try:
            base_url = b"" if base is None else self._bases.resolve(base)
        except UrlError:
            return TryResult(None, Status.BAD_BASE)  # type: ignore[return-value]
        code, written, _ = self._one(url, base_url)
        return TryResult(written, _STATUS[code])  # type: ignore[return-value]

    def changes(self, url: Text, base: Text | None = None) -> tuple[str, ...] | None:
        """Return the names of the steps that change a URL, in their order; empty if it is in normal form.

        The names are those of `urlmill explain` and of docs/spec.md. None means that the URL changes and only
        `urlmill explain` can tell by which steps. Raises what `normalize` raises.

        >>> Normalizer(preset="crawl").changes("HTTP://a/?utm_source=x")
        ('schemeCase', 'trackingParams')
        """
        from ._options.tables import STEP_NAMES

        base_url = b"" if base is None else self._bases.resolve(base)
        data = utf8(url) if isinstance(url, (str, bytes)) else b""
        with self._kernels.lend(base_url) as kernel:
            code, bits = kernel.reasons(data)
        if code > Status.CHANGED or not isinstance(url, (str, bytes)):
            self.normalize(url, base)
        if bits >> 63:
            return None
        return tuple(name for bit, name in enumerate(STEP_NAMES) if bits >> bit & 1)

    def explain(self, url: Text, base: Text | None = None) -> Explanation:
        """Return each step that changes a URL, with the URL before and after it, as Node's `explain` does.

        Raises `UrlError` with code `BAD_BASE`, and no other error: what is not a URL is explained by `error` and
        `offset`. All rules of a site are one step, `rules`; `urlmill explain` of Node names their lines.

        >>> steps = Normalizer("crawl").explain("HTTP://a/?utm_source=x").steps
        >>> [(each.step, each.after) for each in steps]
        [('schemeCase', 'http://a/?utm_source=x'), ('trackingParams', 'http://a/')]
        """
        from ._explain import explain

        base_url = b"" if base is None else self._bases.resolve(base)
        code, result, offset = self._one(url, base_url)
        if result is None:
            return Explanation(None, Status(code).name, offset, ())
        return Explanation(result, None, -1, explain(self._plan, utf8(url), base_url, result))

    def _one(self, url: Text, base: bytes) -> tuple[int, str | None, int]:
        """Return status, normal form and place of the error."""
        try:
            data = url.encode()  # type: ignore[union-attr]
        except (AttributeError, UnicodeEncodeError):
            if not isinstance(url, (str, bytes)):
                return Status.NOT_A_STRING, None, -1
            data = utf8(url)
        free = self._kernels.threads.free
        kernel = free.pop() if free else Kernel(self._plan)
        if kernel.base != base:
            kernel.set_base(base)
        code = kernel.normalize(data)
        if code == 0:
            free.append(kernel)
            return 0, url if type(url) is str else data.decode(), -1
        written = kernel.url() if code == 1 else None
        offset = kernel.error_offset(data) if written is None else -1
        free.append(kernel)
        return code, written, offset

    @overload
    def normalize_batch(  # type: ignore[overload-overlap]
        self, batch: tuple[Text | None, ...], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[tuple[str | None, ...]]: ...
    @overload
    def normalize_batch(
        self, batch: Series, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Series]: ...
    @overload
    def normalize_batch(
        self, batch: Array, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]: ...
    @overload
    def normalize_batch(
        self, batch: Iterable[Text | None], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[list[str | None]]: ...
    def normalize_batch(
        self, batch: Any, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]:
        r"""Normalize a batch and return its normal forms as the same kind, with a status a row.

        A batch is a list, a tuple or another iterable (which gives a list) of `str` and `bytes`, an array of numpy, a
        Series of pandas or polars, or an Array or ChunkedArray of pyarrow (string, large_string, string_view, binary
        or a dictionary of them). A row is null if it was null, with status `NOT_A_STRING`, or is not a URL. The bytes
        of Arrow columns go to the kernel without a Python string being made. A column of string whose normal forms pass
        2 GiB comes back as large_string.

        `errors` says what becomes of rows that are not URLs: `"null"`, `"keep"` for the row as it was, or `"raise"`
        for a `UrlError` with the first of them. A row that was null stays null.

        Raises `BatchError` for anything else, and `UrlError` with code `BAD_BASE`.

        >>> Normalizer().normalize_batch(["http://a", "http://b/", "x", None])
        NormalizedBatch(values=['http://a/', 'http://b/', None, None], status=b'\x01\x00\x03\x0e')
        """
        return self._rows(batch, base, errors)

    def _rows(
        self,
        batch: Any,
        base: Text | None,
        errors: Errors,
        surts: bool = False,
        kernels: FreeKernels | None = None,
    ) -> NormalizedBatch[Any]:
        check_policy(errors)
        rows = read_batch(batch)
        base_url = b"" if base is None else self._bases.resolve(base)
        with (kernels or self._kernels).lend(base_url, surts) as kernel:
            values, codes = _normalize_rows(kernel, rows)
        values, status = _settled(rows, values, codes, errors)
        return NormalizedBatch(rows.values(values), rows.codes(status))

    @overload
    def fingerprint_batch(  # type: ignore[overload-overlap]
        self,
        batch: tuple[Text | None, ...],
        key: bytes | None = None,
        bits: int = 128,
        base: Text | None = None,
    ) -> Fingerprints[tuple[bytes | None, ...]]: ...
    @overload
    def fingerprint_batch(
        self, batch: Series, key: bytes | None = None, bits: int = 128, base: Text | None = None
    ) -> Fingerprints[Series]: ...
    @overload
    def fingerprint_batch(
        self, batch: Array, key: bytes | None = None, bits: int = 128, base: Text | None = None
    ) -> Fingerprints[Any]: ...
    @overload
    def fingerprint_batch(
        self,
        batch: Iterable[Text | None],
        key: bytes | None = None,
        bits: int = 128,
        base: Text | None = None,
    ) -> Fingerprints[list[bytes | None]]: ...
    def fingerprint_batch(
        self,
        batch: Any,
        key: bytes | None = None,
        bits: int = 128,
        base: Text | None = None,
    ) -> Fingerprints[Any]:
        """Return a fingerprint of each normalized URL: SipHash-1-3 of its bytes, with 128 bits of output.

        Equal URLs have equal fingerprints. `bits=64` gives the first 8 of the 16 bytes. `key` has 16 bytes;
        without it, `fingerprint_key` is taken. The batch is as for `normalize_batch`. Fingerprints come back as `bytes`
        in a list, a tuple or an array or Series of objects, as Binary of polars, or as fixed-size binary of pyarrow.

        Raises `OptionError` for another key or other bits, and what `normalize_batch` raises.

        >>> keys, _ = Normalizer().fingerprint_batch(["http://a", "HTTP://A/", "x"], bits=64)
        >>> keys[0] == keys[1], len(keys[0]), keys[2]
        (True, 8, None)
        """
        rows = read_batch(batch)
        keys = self._keys_of(rows, self.fingerprint_key if key is None else key, base, bits)
        return Fingerprints(rows.keys(keys), rows.codes(keys.codes))

    def line_keys(self, batch: Any, key: bytes) -> Any:
        """Return the key of each line of a list: 16 bytes, as the command `urlmill dedupe` compares lines.

        The key of a URL is its fingerprint. The key of another text is that of its bytes and a LF, which no URL has.
        None and a text longer than `max_length` have no key. The batch is as for `normalize_batch`, and keys come back
        as from `fingerprint_batch`.

        >>> keys = Normalizer().line_keys(["x", "http://a", "x", None, "y"], bytes(16))
        >>> keys[0] == keys[2], keys[0] == keys[4], keys[3]
        (True, False, None)
        """
        rows = read_batch(batch)
        return rows.keys(self._keys_of(rows, key, texts=True))

    def _keys_of(
        self,
        rows: Batch,
        key: bytes,
        base: Text | None = None,
        bits: int = 128,
        texts: bool = False,
    ) -> Keys:
        check_fingerprint_options(key, bits)
        base_url = b"" if base is None else self._bases.resolve(base)
        with self._kernels.lend(base_url) as kernel:
            return fingerprint_rows(kernel, rows, bytes(key), bits, texts)

    def surt(self, url: Text, base: Text | None = None) -> str:
        """Return the normalized URL in Sort-friendly URI Reordering Transform.

        It is an output form for indexes that keep a domain together, never a key. Raises what `normalize` raises.

        >>> Normalizer().surt("http://www.example.com/x?q")
        'com,example,www)/x?q'
        """
        return to_surt(self.normalize(url, base))

    @overload
    def surt_batch(  # type: ignore[overload-overlap]
        self, batch: tuple[Text | None, ...], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[tuple[str | None, ...]]: ...
    @overload
    def surt_batch(
        self, batch: Series, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Series]: ...
    @overload
    def surt_batch(
        self, batch: Array, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]: ...
    @overload
    def surt_batch(
        self, batch: Iterable[Text | None], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[list[str | None]]: ...
    def surt_batch(
        self, batch: Any, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]:
        """Return the SURT of each row, as the same kind, with a status a row and `errors`, as `normalize_batch` does.

        >>> Normalizer().surt_batch(("http://a.b", "x")).values
        ('b,a)/', None)
        """
        return self._rows(batch, base, errors, surts=True)

    def urlkey(self, url: Text, base: Text | None = None, *, keep_www: bool = False) -> str:
        """Return the key of a URL in indexes of web archives: the `urlkey` of CDX, as the package `surt` makes it.

        It is made of the URL as it is given. With a base, options or rules that can change a URL, the URL is normalized
        first. `keep_www`: whether the `www.` of a host stays. Different pages can share a key. Raises `UrlError` with
        code `EMPTY`, `BAD_PORT` or `TOO_LONG`, and what `normalize` raises if it comes first.

        >>> Normalizer().urlkey("https://WWW.Example.com/A//b/?y&x#top")
        'com,example)/a/b?x&y'
        """
        key: str | None = self.urlkey_batch((url,), base, "raise", keep_www=keep_www).values[0]
        if key is None:
            raise UrlError("NOT_A_STRING", -1, url)
        return key

    @overload
    def urlkey_batch(  # type: ignore[overload-overlap]
        self,
        batch: tuple[Text | None, ...],
        base: Text | None = None,
        errors: Errors = "null",
        *,
        keep_www: bool = False,
    ) -> NormalizedBatch[tuple[str | None, ...]]: ...
    @overload
    def urlkey_batch(
        self,
        batch: Series,
        base: Text | None = None,
        errors: Errors = "null",
        *,
        keep_www: bool = False,
    ) -> NormalizedBatch[Series]: ...
    @overload
    def urlkey_batch(
        self,
        batch: Array,
        base: Text | None = None,
        errors: Errors = "null",
        *,
        keep_www: bool = False,
    ) -> NormalizedBatch[Any]: ...
    @overload
    def urlkey_batch(
        self,
        batch: Iterable[Text | None],
        base: Text | None = None,
        errors: Errors = "null",
        *,
        keep_www: bool = False,
    ) -> NormalizedBatch[list[str | None]]: ...
    def urlkey_batch(
        self,
        batch: Any,
        base: Text | None = None,
        errors: Errors = "null",
        *,
        keep_www: bool = False,
    ) -> NormalizedBatch[Any]:
        """Return the `urlkey` of each row, as the same kind, with a status a row, as `normalize_batch` does.

        >>> Normalizer().urlkey_batch(("http://www.a.b/C/", " ")).values
        ('b,a)/c', None)
        """
        return self._in_form(2 if keep_www else 1, batch, base, errors)

    def template(self, url: Text, base: Text | None = None) -> str:
        """Return the template of a URL: the text that URLs of one page type share.

        The URL is normalized first. In the path each run of decimal digits becomes `<N>`, each run of 16 or more
        hexadecimal digits `<H>`, and each UUID `<U>`. Parameters are sorted, without values, each name once. The
        fragment goes unless it is a route. Different pages share a template. Raises `UrlError` as `normalize` does.

        >>> Normalizer().template("https://a.example/item/123?sort=up&page=2")
        'https://a.example/item/<N>?page&sort'
        """
        template: str | None = self.template_batch((url,), base, "raise").values[0]
        if template is None:
            raise UrlError("NOT_A_STRING", -1, url)
        return template

    @overload
    def template_batch(  # type: ignore[overload-overlap]
        self, batch: tuple[Text | None, ...], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[tuple[str | None, ...]]: ...
    @overload
    def template_batch(
        self, batch: Series, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Series]: ...
    @overload
    def template_batch(
        self, batch: Array, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]: ...
    @overload
    def template_batch(
        self, batch: Iterable[Text | None], base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[list[str | None]]: ...
    def template_batch(
        self, batch: Any, base: Text | None = None, errors: Errors = "null"
    ) -> NormalizedBatch[Any]:
        """Return the template of each row, as the same kind, with a status a row, as `normalize_batch` does.

        >>> Normalizer().template_batch(("http://a.b/7?x=1", " ")).values
        ('http://a.b/<N>?x', None)
        """
        return self._in_form(3, batch, base, errors)

    def _in_form(
        self, form: int, batch: Any, base: Text | None, errors: Errors
    ) -> NormalizedBatch[Any]:
        """Return rows in a form, by its number in a plan."""
        kernels = self._forms.get(form)
        if kernels is None:
            kernels = self._forms[form] = FreeKernels.of(plan_of_form(self._plan, form))
        return self._rows(batch, base, errors, kernels=kernels)


# Python without docstrings (-OO) has none to add to.
if Normalizer.__doc__:
    _texts = "".join(f"        {line}\n" for line in OPTION_TEXTS.splitlines())
    Normalizer.__doc__ = Normalizer.__doc__.replace("fragment.\n\n", f"fragment.\n\n{_texts}\n", 1)

_STATUS = list(Status)


def _normalize_rows(kernel: Kernel, rows: Batch) -> tuple[Any, Any]:
    """Normalize a batch; return texts and one status byte a row, or an array and one of statuses for each chunk."""
    if rows.chunks is None:
        return normalize_list(kernel, rows.texts or ())
    from ._chunks import ChunkNormalizer

    chunks = ChunkNormalizer(kernel)
    pairs = [chunks.normalize(chunk) for chunk in rows.chunks]
    return [values for values, _ in pairs], [codes for _, codes in pairs]


def _settled(rows: Batch, values: Any, codes: Any, errors: Errors) -> tuple[Any, bytes]:
    """Do with rows that are not URLs as the policy says. Return texts or arrays, and one status byte a row."""
    if rows.chunks is None:
        settle_texts(rows.texts or (), values, codes, errors)
        return values, codes
    from ._chunks import status_bytes

    chunks = zip(rows.chunks, values, codes, strict=True)
    return [settle_array(*each, errors) for each in chunks], status_bytes(codes)


def _restore(
    preset: "PresetName | None", options: dict[str, Any], plan: bytes, key: bytes
) -> Normalizer:
    """Make a normalizer of its pickle. Raise `BAD_OPTION` for one of another release."""
    normalizer = Normalizer.__new__(Normalizer)
    normalizer._set(preset, options, check_plan(plan))
    normalizer._key = key
    return normalizer


def normalizer_of(
    preset: "PresetName | None", normalizer: Normalizer | None, options: "NormalizerOptions"
) -> Normalizer:
    """Return the normalizer that was given, or one of the options. Raises ``OptionError`` if both are given."""
    if normalizer is None:
        return Normalizer(preset, **options)
    if preset is not None or options:
        raise OptionError("BAD_OPTION", "normalizer: has all options, so give no other option")
    return normalizer


def _compile(preset: str, options: dict[str, Any]) -> bytes:
    if not options:
        known = versions()["presets"].get(preset) if isinstance(preset, str) else None
        if known is not None:
            return read_data(known["plan"])
    from ._options import compile_plan, normal_host_of

    return compile_plan({"preset": preset, **options}, normal_host_of(_safe_url), _urls_of)


def _safe_url(text: str) -> str | None:
    """Return the normal form by which options write hosts, or None."""
    return Normalizer().try_normalize(text).url


def _urls_of(plan: bytes, urls: list[str]) -> list[str | None]:
    """Return the normal forms of URLs under a plan, None for errors."""
    values: list[str | None] = Normalizer(plan=plan).normalize_batch(urls).values
    return values


def _profile_id(plan: bytes) -> str:
    for preset in versions()["presets"].values():
        if read_data(preset["plan"]) == plan:
            return preset["profileId"]
    from ._options import profile_id

    return profile_id(plan)
