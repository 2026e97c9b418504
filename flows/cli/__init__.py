"""The command line `postern`: one module per group of commands, heavy imports inside them."""

from flows.cli.application import main

__all__ = ["main"]
