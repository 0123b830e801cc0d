"""What normalizing one URL does, step by step, as src/engine/explain/explain.ts shows it."""

from .._results import ExplainedStep
from .options import PlanSteps
from .parts import scheme_end, split_parts
from .reading import STEPS

_READING = "WHATWG URL 4.4"
_SPACE = "".join(map(chr, range(0x21)))
_REMOVED = str.maketrans("", "", "\t\n\r")


def explain(plan: bytes, data: bytes, base: bytes, result: str) -> tuple[ExplainedStep, ...]:
    """Return the steps by which a plan makes `result` of a URL. The last one's `after` is the result."""
    parts = PlanSteps(plan)
    steps = _StepList(data.decode("latin-1"))
    text = steps.current.strip(_SPACE)
    steps.add("surroundingSpace", text, _READING)
    text = text.translate(_REMOVED)
    steps.add("tabAndNewline", text, _READING)
    if not base:
        text = _prefix(parts, text) + text
        steps.add("defaultScheme", text)
    normal = parts.read(text, base) or result
    if scheme_end(text) == 0:
        steps.add("base", normal, "RFC 3986 5.2, WHATWG URL 4.4")
    else:
        pieces = split_parts(text)
        for step, standard, apply in STEPS:
            pieces = apply(pieces, parts.read)
            after = "".join(pieces)
            # What would be read as another URL is not shown, such as `C%7C` for a drive `C|`.
            if after != steps.current and parts.read(after) == normal:
                steps.add(step, after, standard)
    steps.add("reading", normal, _READING)
    for step, after in parts.changes(normal):
        steps.add(step, after)
    if steps.current != result:
        steps.add("rules", parts.before_aliases(text, base) or result)
        steps.add("pageAliases", result)
    return tuple(steps.list)


def _prefix(parts: PlanSteps, text: str) -> str:
    """Return what `default_scheme` puts before a text."""
    scheme = parts.default_scheme
    if scheme is None or parts.read(text) == parts.read(text, with_scheme=True):
        return ""
    return f"{scheme}:" if text[:1] in "/\\" else f"{scheme}://"


class _StepList:
    """Collects the steps that changed something, as text."""

    def __init__(self, current: str) -> None:
        self.list: list[ExplainedStep] = []
        self.current = current

    def add(self, step: str, after: str, standard: str = "") -> None:
        """Add a step if it changed the URL."""
        if after == self.current:
            return
        reference = f"urlmill help {step}{f' ({standard})' if standard else ''}"
        self.list.append(ExplainedStep(step, _text(self.current), _text(after), reference))
        self.current = after


def _text(characters: str) -> str:
    return characters.encode("latin-1").decode("utf-8", "replace")
