"""The order in which messages of one matter are read: a parent before its answers."""

from collections.abc import Iterable, Sequence


def parents_first(items: Sequence[str], answers: Iterable[tuple[str, str]]) -> list[str]:
    """Return `items` in their order, but no answer before its parent.

    Args:
        items: messages in the order they came.
        answers: (answer, parent) pairs; of a loop, whichever came first stays first.
    """
    parents: dict[str, set[str]] = {}
    for answer, parent in answers:
        if answer != parent and parent in items:
            parents.setdefault(answer, set()).add(parent)
    ordered: list[str] = []
    waiting = list(items)
    while waiting:
        free = (item for item in waiting if not parents.get(item, set()) - set(ordered))
        chosen = next(free, waiting[0])
        waiting.remove(chosen)
        ordered.append(chosen)
    return ordered
