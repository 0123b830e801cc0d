"""The version of the package, which is that of the Node package."""

__version__ = "0.1.0"
