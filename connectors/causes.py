"""The chain of causes behind an exception."""

from collections.abc import Iterator


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and what it came from, each once; None yields nothing.

    Libraries that raise one exception from another can close the chain to a circle.
    """
    passed: set[int] = set()
    while error is not None and id(error) not in passed:
        passed.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
