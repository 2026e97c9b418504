"""The routes as a file: the engine writes it, the receiver reads it and needs no engine for it."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from connectors import disk
from data.errors import OutsideTemporaryError
from data.host_names import comparable_domain
from data.records.core.organization import Route, RouteMode

VERSION = 1


class RoutesMissingError(OutsideTemporaryError):
    """There are no routes to decide by at this moment; the client should come again."""


def write_routes(path: Path, routes: Iterable[Route], version: int) -> None:
    """Replace the routes file in one step; `version` is that of the organizations behind it."""
    content = {
        "version": VERSION,
        "routes_version": version,
        "routes": [route.model_dump(mode="json") for route in routes],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    disk.write_durably(path.parent, path.name, text.encode())


def normalize_address(address: str) -> tuple[str, str]:
    """Return (local part, domain) in the form that routes are compared in.

    Without case, quotes that are not needed, or a dot at the end; domains as A-labels.
    """
    local, _, domain = address.strip().rpartition("@")
    if not local:
        local, domain = domain, ""
    if len(local) > 1 and local.startswith('"') and local.endswith('"'):
        local = local[1:-1].replace("\\", "")
    return local.casefold(), comparable_domain(domain.rstrip("."))


def _parse(content: bytes) -> tuple[int, list[Route]]:
    fields = json.loads(content)
    if fields["version"] != VERSION:
        raise ValueError(f"unknown version {fields['version']!r}")
    return int(fields["routes_version"]), [Route.model_validate(r) for r in fields["routes"]]


def _postmasters(routes: dict[tuple[str, str], Route]) -> dict[str, Route]:
    """Return for each domain that mail is received for where postmaster's goes: held."""
    postmasters: dict[str, Route] = {}
    for (_, domain), route in sorted(routes.items()):
        if domain != "*" and route.mode not in (RouteMode.BOUNCE, RouteMode.REJECT):
            pattern = f"postmaster@{domain}"
            holding_route = Route(
                pattern=pattern, organization=route.organization, mode=RouteMode.HOLD
            )
            postmasters.setdefault(domain, holding_route)
    return postmasters


class RouteTable:
    """Looks recipients up; follows the file when it is replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = 0
        self._routes: dict[tuple[str, str], Route] = {}
        self._postmasters: dict[str, Route] = {}
        self._stamp: tuple[int, int, int] | None = None

    @classmethod
    def load(cls, path: Path) -> "RouteTable":
        """Return the table of a file, which may still be missing."""
        return cls(path)

    @property
    def domains(self) -> list[str]:
        """The domains that mail is received for, in order; as of the last `match`."""
        return sorted(self._postmasters)

    def match(self, address: str) -> Route | None:
        """Return the most specific route of an address, None when there is none.

        In order: the address, the address without its plus-tag, `*@domain`, `local@*`; at last, for
        postmaster of a domain that mail is received for, its organization's shelf, because every
        domain must have one (RFC 5321 section 4.5.1).
        Raises RoutesMissingError when the file is missing or cannot be read.
        """
        self._follow()
        local, domain = normalize_address(address)
        base = local.partition("+")[0] or local
        keys = ((local, domain), (base, domain), ("*", domain), (local, "*"), (base, "*"))
        for key in keys:
            route = self._routes.get(key)
            if route is not None:
                return route
        return self._postmasters.get(domain) if local == "postmaster" else None

    def _follow(self) -> None:
        try:
            file_status = os.stat(self.path)  # noqa: PTH116 - on the path of every recipient
        except OSError as error:
            raise RoutesMissingError(
                f"the routes file {str(self.path)!r} is missing; start the engine, which writes it"
            ) from error
        stamp = (file_status.st_mtime_ns, file_status.st_size, file_status.st_ino)
        if stamp != self._stamp:
            self._read(stamp)

    def _read(self, stamp: tuple[int, int, int]) -> None:
        try:
            version, routes = _parse(self.path.read_bytes())
        except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
            raise RoutesMissingError(
                f"the routes file {str(self.path)!r} cannot be read; the engine writes it anew "
                "when it starts"
            ) from error
        self._routes = {normalize_address(route.pattern): route for route in routes}
        self._postmasters = _postmasters(self._routes)
        self.version, self._stamp = version, stamp
