"""The client of one organization: who sends, and where the organization's paths begin."""

from dataclasses import dataclass
from urllib.parse import quote

from ui.core.api.client import ApiClient


@dataclass(frozen=True)
class OrganizationClient:
    """One organization, seen with one token; every part of the API is made over it.

    Whatever is called through it raises what `data.refusals` lists.
    """

    sender: ApiClient
    slug: str

    def at(self, *parts: str) -> str:
        """Return the path of what these name within the organization."""
        return _path("v1", self.slug, *parts)

    def own(self, *parts: str) -> str:
        """Return the path of what these name of the organization itself, as the installation's."""
        return _path("v1", "organizations", self.slug, *parts)


def _path(*parts: str) -> str:
    """Return a path; whatever is in a part stays in its place."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)
