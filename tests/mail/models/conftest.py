"""The line of a tiny organization that thinks with the models of a stand-in."""

from tests.core.models.fixtures import thinking, workspace

__all__ = ["thinking", "workspace"]
