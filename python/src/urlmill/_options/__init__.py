"""Compiles options to plans, byte for byte as the TypeScript package does."""

from .compile import compile_plan
from .hosts import NormalHost, normal_host_of
from .options_in_node import options_in_node
from .profile_id import profile_id

__all__ = ["NormalHost", "compile_plan", "normal_host_of", "options_in_node", "profile_id"]
