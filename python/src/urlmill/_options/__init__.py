"""Compiles options to plans, byte for byte as the TypeScript package does."""

from .compile import compile_plan
from .hosts import NormalHost, normal_host_of
from .profile_id import profile_id

__all__ = ["NormalHost", "compile_plan", "normal_host_of", "profile_id"]
