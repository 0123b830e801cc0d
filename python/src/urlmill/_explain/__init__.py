"""What normalizing one URL does, step by step (src/engine/explain)."""

from .explain import explain

__all__ = ["explain"]
