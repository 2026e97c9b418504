"""The routes file: who wins, and that the receiver follows it without a restart."""

from pathlib import Path

import pytest

from connectors.routes import RoutesMissingError, RouteTable, write_routes
from data.records.core.organization import Route, RouteMode


def table(path: Path, *patterns: str) -> RouteTable:
    """Write routes whose organization is `o` and their number, and load them."""
    routes = [Route(pattern=p, organization=f"o{n}") for n, p in enumerate(patterns)]
    write_routes(path, routes, 3)
    return RouteTable.load(path)


@pytest.mark.parametrize(
    ("address", "winner"),
    [
        ("sales@a.example", "o2"),
        ("SALES@A.Example", "o2"),
        ("sales+x@a.example", "o3"),
        ("sales+y@a.example", "o2"),
        ("other@a.example", "o0"),
        ("abuse@a.example", "o0"),
        ("abuse@b.example", "o1"),
        ("abuse+tag@b.example", "o1"),
        ("sales@b.example", None),
        ("any@münchen.example", "o4"),
        ("any@xn--mnchen-3ya.example", "o4"),
        ('"sales"@a.example', "o2"),
        ("sales@a.example.", "o2"),
        ("*@a.example", "o0"),
        ("", None),
        ("@", None),
    ],
)
def test_most_specific_route_wins(tmp_path: Path, address: str, winner: str | None) -> None:
    """The address beats the address without its tag, that the domain, that the local part."""
    routes = table(
        tmp_path / "routes.json",
        "*@a.example",
        "abuse@*",
        "Sales@A.example",
        "sales+x@a.example",
        "*@münchen.example",
    )
    found = routes.match(address)
    assert (found.organization if found else None) == winner


def test_replaced_file_is_followed(tmp_path: Path) -> None:
    """A new file counts from the next recipient on."""
    routes = table(tmp_path / "routes.json", "a@a.example")
    assert routes.match("a@a.example") is not None
    write_routes(
        tmp_path / "routes.json",
        [Route(pattern="b@a.example", organization="n", mode=RouteMode.HOLD)],
        4,
    )
    assert routes.match("a@a.example") is None
    found = routes.match("b@a.example")
    assert found is not None
    assert found.mode is RouteMode.HOLD
    assert routes.version == 4


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[]", b'{"version": 2}', b"\xff"])
def test_missing_or_broken_file_is_a_passing_failure(tmp_path: Path, content: bytes | None) -> None:
    """Without readable routes no recipient is decided on, in either direction."""
    path = tmp_path / "routes.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RoutesMissingError, match=r"routes\.json") as caught:
        RouteTable.load(path).match("a@a.example")
    assert caught.value.retryable


def test_every_domain_has_a_postmaster(tmp_path: Path) -> None:
    """Mail for a domain's postmaster is held where no route says otherwise; nobody else's is."""
    path = tmp_path / "routes.json"
    given = [
        Route(pattern="help@a.example", organization="a"),
        Route(pattern="postmaster@b.example", organization="b"),
        Route(pattern="gone@c.example", organization="c", mode=RouteMode.BOUNCE),
    ]
    write_routes(path, given, 1)
    routes = RouteTable.load(path)
    held = routes.match("PostMaster@A.example")
    assert held is not None
    assert (held.organization, held.mode) == ("a", RouteMode.HOLD)
    own = routes.match("postmaster@b.example")
    assert own is not None
    assert own.mode is RouteMode.AGENT
    for address in ("postmaster@c.example", "postmaster@d.example", "abuse@a.example"):
        assert routes.match(address) is None
