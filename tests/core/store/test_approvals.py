"""Approvals in the store: asked for once, decided once, and by whom."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from data.errors import ConflictError
from data.records.core.approvals import (
    Approval,
    ApprovalKind,
    ApprovalRequest,
    Floor,
    kinds,
    register_kind,
)
from data.records.core.principals import EffectiveGrant, Permission, Principal, system
from data.records.mail.approval_kinds import PASS_ON, REPLY
from data.states import ApprovalState
from data.store.core import approvals
from data.store.core.database import Connection, Database
from data.store.core.migrations import migrate
from tasks.mail.compose.composing import hash_for_approval
from tests.copies import empty_state
from tests.people import person

NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)
PACK = ApprovalKind(name="pack", permission=Permission.TEACH, meaning="The suitcase is packed.")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Connection]:
    """The state of an organization in which nothing has happened."""
    database = Database(empty_state(tmp_path / "state.duckdb"), "organization")
    yield database.connection
    database.close()


def ask(cursor: Connection, subject: str, sha256: str, **given: object) -> Approval:
    """Ask for an approval of a subject."""
    request = ApprovalRequest.model_validate(
        {"subject_id": subject, "summary": f"{subject} goes", "sha256": sha256, **given}
    )
    (opened,) = approvals.open_many(cursor, REPLY, [request], opened_by="route", now=NOW)
    return opened


def listed(cursor: Connection, **given: str) -> list[Approval]:
    """Return the approvals that match, newest first."""
    asked: dict[str, str | None] = {"kind": None, "state": None, "subject": None, **given}
    return approvals.list_page(cursor, **asked, viewer="ida", limit=50, offset=0)[0]  # type: ignore[arg-type]


def test_what_is_asked_twice_waits_once_and_another_hash_withdraws_it(state: Connection) -> None:
    """The same hash keeps the approval that waits; another one takes its place."""
    first = ask(state, "c1", "aa")
    assert ask(state, "c1", "aa").id == first.id
    second = ask(state, "c1", "bb")
    assert {one.id: one.state for one in listed(state, subject="c1")} == {
        second.id: ApprovalState.PENDING,
        first.id: ApprovalState.WITHDRAWN,
    }
    assert listed(state, state="withdrawn")[0].decided_by == "route"


def test_it_is_decided_once(state: Connection) -> None:
    """Of two who have read the same approval the second is refused, and the first stands."""
    seen = ask(state, "c1", "aa")
    approvals.decide(state, seen, ApprovalState.APPROVED, person("ida"), NOW)
    with pytest.raises(ConflictError, match="meanwhile"):
        approvals.decide(state, seen, ApprovalState.REFUSED, person("bo"), NOW)
    (kept,) = listed(state)
    assert (kept.state, kept.decided_by, kept.decided_as) == ("approved", "ida", "person")
    assert (kept.decided_at, kept.version) == (NOW, 2)


def test_a_withdrawn_one_is_not_decided(state: Connection) -> None:
    """What was read before it was replaced cannot be approved any more."""
    seen = ask(state, "c1", "aa")
    ask(state, "c1", "bb")
    with pytest.raises(ConflictError):
        approvals.decide(state, seen, ApprovalState.APPROVED, person("ida"), NOW)


def test_nobody_decided_in_time_is_neither_yes_nor_no(state: Connection) -> None:
    """From its time on it cannot be approved, and the clock ends it; others wait on."""
    late = ask(state, "c1", "aa", expires_at=NOW + timedelta(hours=1))
    ask(state, "c2", "cc")
    after = NOW + timedelta(hours=1)
    assert not approvals.is_any_to_expire(state, NOW)
    with pytest.raises(ConflictError, match="over"):
        approvals.decide(state, late, ApprovalState.APPROVED, person("ida"), after)
    assert approvals.is_any_to_expire(state, after)
    assert [one.id for one in approvals.expire(state, after)] == [late.id]
    assert {one.subject_id: str(one.state) for one in listed(state)} == {
        "c1": "expired",
        "c2": "pending",
    }


def test_only_who_is_permitted_may_decide(state: Connection) -> None:
    """Permission, organization, the named users and the floor each say no by themselves."""
    mine = ask(state, "c1", "aa")
    here = EffectiveGrant(organization="heron", permissions=frozenset({Permission.DECIDE}))
    ida = Principal(kind="person", id="u1", name="ida", grants=(here,))
    assert mine.why_not(ida, "heron") == ""
    assert mine.why_not(ida, "teasel") != ""
    assert mine.why_not(Principal(kind="person", id="u2", name="bo"), "heron") != ""
    assert mine.why_not(ida.model_copy(update={"kind": "agent"}), "heron") != ""
    assert mine.why_not(system("policy"), "heron") != ""
    below = mine.model_copy(update={"floor": Floor.POLICY})
    assert below.why_not(system("policy"), "heron") == ""
    named = ask(state, "c2", "bb", may_decide=("u2", "u3"))
    assert named.why_not(ida, "heron") != ""
    assert named.why_not(ida.model_copy(update={"id": "u3"}), "heron") == ""


def test_each_slice_registers_its_kinds_and_a_name_means_one_thing() -> None:
    """A kind is known once; another one of its name is a mistake of the programmer."""
    assert register_kind(PACK) is PACK
    assert {REPLY, PASS_ON, PACK} <= set(kinds())
    with pytest.raises(ValueError, match="'pack'"):
        register_kind(PACK.model_copy(update={"meaning": "Something else."}))


def test_what_left_before_there_were_approvals_gets_one(tmp_path: Path) -> None:
    """The migration keeps who approved, and the hash of a reply is the one that was shown."""
    with duckdb.connect(str(tmp_path / "state.duckdb")) as connection:
        migrate(connection, "organization")
        connection.execute("DROP TABLE approvals")
        connection.execute("ALTER TABLE deliveries DROP COLUMN approval_id")
        connection.execute("ALTER TABLE deliveries ADD COLUMN approved_by VARCHAR")
        connection.execute("DELETE FROM schema_version WHERE version IN (140, 141)")
        for identity, automatic, purpose in (
            ("d1", False, "reply"),
            ("d2", True, "reply"),
            ("d3", False, "forward"),
        ):
            connection.execute(
                "INSERT INTO deliveries (id, case_id, state, mail_from, rcpt_to, message_id, "
                "subject, body, sha256, due_at, approved_by, automatic, purpose, created_at) "
                "VALUES (?, 'c', 'sent', 'us@x.example', ['mara@y.example', 'ö@y.example'], "
                "'<m>', 'Re: Öffnung', 'Grüße\n\nIda\n', 'f00', $4, 'ida', $2, $3, $4)".replace(
                    "?", "$1"
                ),
                [identity, automatic, purpose, NOW],
            )
        migrate(connection, "organization")
        shown = hash_for_approval(
            ("mara@y.example", "ö@y.example"), "Re: Öffnung", "Grüße\n\nIda\n"
        )
        assert connection.execute(
            "SELECT d.id, a.kind, a.sha256, a.floor, a.state, a.decided_by, a.decided_as "
            "FROM deliveries d JOIN approvals a ON a.id = d.approval_id ORDER BY d.id"
        ).fetchall() == [
            ("d1", "reply", shown, "person", "approved", "ida", "person"),
            ("d2", "reply", shown, "policy", "approved", "ida", "system"),
            ("d3", "pass_on", "f00", "person", "approved", "ida", "person"),
        ]
        assert len(listed(connection)) == 3
