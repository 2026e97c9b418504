"""Addresses in commands: the quick way agrees with the pattern."""

from hypothesis import given
from hypothesis import strategies as st

from connectors import addresses
from connectors.receiver import paths

TOKENS = [
    "a",
    "Z",
    "9",
    ".",
    "-",
    "_",
    "+",
    "@",
    " ",
    '"',
    "<",
    ">",
    "ä",
    "\x00",
    "=",
    ",",
    "[",
    "]",
]


@given(
    st.lists(st.sampled_from(TOKENS), max_size=12), st.lists(st.sampled_from(TOKENS), max_size=8)
)
def test_quick_way_takes_nothing_that_the_pattern_refuses(
    local: list[str], domain: list[str]
) -> None:
    """Whatever is taken without the pattern would have been taken by it."""
    left, right = "".join(local), "".join(domain)
    if addresses._is_plain(left, right):
        assert addresses._ADDRESS.fullmatch(f"{left}@{right}") is not None


@given(st.lists(st.sampled_from(TOKENS), max_size=14))
def test_quick_way_splits_as_the_pattern_does(tokens: list[str]) -> None:
    """A path that is split without the pattern is split in the same place by it."""
    rest = "<" + "".join(tokens) + ">"
    found = paths._PATH.fullmatch(rest)
    try:
        split = paths._split(rest)
    except paths.PathError:
        split = None
    assert split == ((found.group(1), found.group(2) or "") if found else None)


def test_ordinary_addresses_go_the_quick_way() -> None:
    """What nearly all mail bears needs no pattern."""
    for address in ("help@harbor.example", "a.b+c_d@x-y.example", "!#$%&'*+/=?^`{|}~@a.example"):
        assert addresses._is_plain(*address.rsplit("@", 1))
    assert not addresses._is_plain("a..b", "c.example")
    assert not addresses._is_plain("a", "-c.example")
