"""Declarations of tools that tests bring."""

from data.records.core.principals import Permission
from data.records.core.tools import Effect, Label, ToolDeclaration, Trust


def declared(
    name: str,
    *,
    group: str = "tried",
    effect: Effect = Effect.NONE,
    labels: frozenset[Label] = frozenset(),
    trust: Trust = Trust.READ,
    permission: Permission = Permission.SEE,
    approval: bool = False,
) -> ToolDeclaration:
    """Return a declaration in which a test says what matters to it."""
    return ToolDeclaration(
        name=name,
        group=group,
        description=f"Is called {name}.",
        effect=effect,
        labels=labels,
        trust=trust,
        permission=permission,
        approval=approval,
    )
