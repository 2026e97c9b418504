"""Users and roles in the control state: who comes back, and who may administer."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from data.errors import ConflictError
from data.records.core.principals import Grant, NewUser, Permission, Role
from data.store.core import users
from data.store.core.database import Connection, Database

NOW = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.fixture
def control() -> Iterator[Connection]:
    """An empty control state."""
    database = Database.in_memory("control")
    yield database.connection
    database.close()


def test_who_was_ended_may_come_back_as_another_user(control: Connection) -> None:
    """With the same address; two who work here have one each."""
    maud = NewUser(name="Maud", email="maud@heron.example")
    first = users.add_user(control, maud, NOW)
    with pytest.raises(ConflictError, match="is the address of"):
        users.add_user(control, maud, NOW)
    users.end_user(control, first.id, NOW)
    again = users.add_user(control, maud, NOW)
    assert (again.id != first.id, again.email) == (True, maud.email)


def test_no_change_of_a_role_leaves_nobody_who_administers(control: Connection) -> None:
    """As long as somebody else does, it may."""
    boss = Role(slug="boss", name="Boss", permissions=tuple(Permission))
    users.set_role(control, boss)
    users.add_user(control, NewUser(name="Ida", grants=(Grant(role="boss"),)), NOW)
    less = boss.model_copy(update={"permissions": (Permission.SEE,)})
    with pytest.raises(ConflictError, match="nobody could administer"):
        users.set_role(control, less)
    users.add_user(control, NewUser(name="Ben", grants=(Grant(role="admin"),)), NOW)
    assert users.set_role(control, less).permissions == (Permission.SEE,)
