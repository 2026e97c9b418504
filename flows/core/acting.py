"""Acts in somebody's name: one transaction each, with its event in the audit log."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from data.records.core.principals import Principal
from data.store.core import audit
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace

ResultT = TypeVar("ResultT")


@dataclass
class Act:
    """What a person does, while it is done: in an open transaction, in whose name, and when."""

    cursor: Connection
    principal: Principal
    now: datetime

    @property
    def actor(self) -> str:
        """The name that moves and events bear."""
        return self.principal.name

    def note(self, action: str, subject: str, detail: str = "") -> None:
        """Write to the audit log what is done, in the transaction that does it."""
        audit.append(
            self.cursor,
            actor=self.actor,
            action=action,
            subject=subject,
            detail=detail,
            now=self.now,
        )


async def carry_out(
    house: House, workspace: Workspace, principal: Principal, work: Callable[[Act], ResultT]
) -> ResultT:
    """Do something in a person's name, in one transaction; return what `work` returns.

    Whatever `work` raises leaves everything as it was.
    """
    return await workspace.db.write(lambda cursor: work(Act(cursor, principal, house.clock())))
