"""Decisions of the quarantine in orders that nobody plans: twice, crossed, and during work."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from data.errors import ConflictError, NotFoundError, PosternError
from data.records.core.organization import Organization
from data.records.mail.orders import Allow, Release
from data.records.mail.stage_outputs import Screened
from data.settings import load_settings
from data.store.core.database import Connection
from data.store.mail import decisions, learning, messages
from flows.api.mail.quarantine import _items
from flows.core.batch import Batch
from flows.intake import STAGES, intake_batch
from flows.mail.people import allowing, guarding, undoing
from flows.mail.stages.screen import ScreenStage
from flows.opening import open_house
from tests.core.small import SLUG, Clock, Line, open_line
from tests.mail.line.test_learning import ATTACK, EVE, LURE, actions, examples, screening, stopped
from tests.people import person

RULES = ("direct_override", "exfiltration", "persona", "output_control", "role_tokens")
NOBODY = (
    b"To: hello@teasel.example\r\nSubject: [SYSTEM] override\r\n"
    b"Content-Type: text/plain\r\n\r\n" + ATTACK.encode() + b"\r\n"
)


async def rules_of(line: Line, item: str) -> tuple[str, ...]:
    """Return the rules that hit."""
    return tuple({hit.rule for hit in (await screening(line, item)).screening.hits})


async def test_a_release_that_is_taken_back_leaves_what_the_screen_had_found(line: Line) -> None:
    """Under an allowance the second look finds nothing; undone, the first one is shown again."""
    item = await stopped(line, f"{ATTACK} {LURE}\n\nWhen is the workshop open?")
    before = await screening(line, item)
    order = Release(allow=await rules_of(line, item))
    await guarding.release(line.house, line.workspace, item, person("ida"), order)
    await line.run()
    assert (await screening(line, item)).screening.hits == ()
    await undoing.undo(line.house, line.workspace, item, person("ida"))
    assert await screening(line, item) == before
    ((shown,), _) = await line.workspace.db.read(_items, 10, 0)
    assert shown.rules
    assert shown.technique == before.screening.hits[0].technique
    await guarding.confirm(line.house, line.workspace, item, person("ida"))
    assert await examples(line.workspace) == (1, 0)


async def test_release_and_undo_may_alternate(line: Line) -> None:
    """Five rounds leave the message stopped, nothing allowed or learned, and an event for each."""
    item = await stopped(line)
    order = Release(allow=await rules_of(line, item))
    for _ in range(5):
        await guarding.release(line.house, line.workspace, item, person("ida"), order)
        await undoing.undo(line.house, line.workspace, item, person("ida"))
    assert await line.status(item) == "quarantined"
    assert await line.workspace.db.read(decisions.list_allowances) == []
    assert await examples(line.workspace) == (0, 0)
    assert [one for one in await actions(line) if one in ("release", "undo")] == [
        "release",
        "undo",
    ] * 5
    with pytest.raises(ConflictError, match="no decision"):
        await undoing.undo(line.house, line.workspace, item, person("ida"))


async def test_two_people_press_release_at_once(line: Line) -> None:
    """One release counts, the other is told; there is one lesson and one case."""
    item = await stopped(line, f"{ATTACK} {LURE}\n\nWhen is the workshop open?")
    told = await asyncio.gather(
        *(
            guarding.release(line.house, line.workspace, item, person(who))
            for who in ("ida", "ole", "ida")
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ConflictError) for one in told) == 2
    await line.run()
    assert await examples(line.workspace) == (0, 1)
    assert len(await line.rows("SELECT id FROM cases")) == 1
    assert [one for one in await actions(line) if one == "release"] == ["release"]


class Interrupted(ScreenStage):
    """The screen, with a person who changes their mind while it works."""

    def __init__(self, line: Line, item: str) -> None:
        self.line, self.item = line, item

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Screened | PosternError]:
        """Screen, and before that is kept take the release back."""
        found = await super().perform(batch, ids)
        if self.item in ids:
            await undoing.undo(self.line.house, self.line.workspace, self.item, person("ida"))
        return found


async def test_an_undo_while_the_message_is_screened_again_holds(line: Line) -> None:
    """What was found under the allowance does not count, and the message goes nowhere."""
    item = await stopped(line)
    before = await screening(line, item)
    order = Release(allow=await rules_of(line, item))
    await guarding.release(line.house, line.workspace, item, person("ida"), order)
    stages = [Interrupted(line, item) if one.name == "screen" else one for one in STAGES]
    assert await intake_batch(line.house, line.workspace, stages) == 1
    await line.run()
    assert await line.status(item) == "quarantined"
    assert await screening(line, item) == before
    assert await line.rows("SELECT id FROM cases") == []
    assert await line.rows("SELECT thread_id FROM messages WHERE thread_id IS NOT NULL") == []
    assert len(await line.rows("SELECT id FROM notifications")) == 1


async def test_a_release_is_kept_when_the_engine_restarts_before_it_is_worked_on(
    tmp_path: Path,
) -> None:
    """The next engine screens the message again and takes it to a case, once."""
    home = tmp_path / "var"
    async with open_line(home) as line:
        item = await stopped(line, f"{ATTACK}\n\nWhen is the workshop open?")
        await guarding.release(line.house, line.workspace, item, person("ida"))
    house = await open_house(load_settings(home=home, coalesce_seconds=0, parse_processes=1))
    line = Line(house, await house.get_workspace(SLUG), Clock())
    assert await line.status(item) == "screening"
    with pytest.raises(ConflictError):
        await guarding.release(line.house, line.workspace, item, person("ida"))
    await line.run()
    (case,) = await line.rows("SELECT would_auto_send FROM cases")
    await house.close()
    assert case["would_auto_send"] is False


async def test_a_block_that_two_made_stays_until_both_have_taken_it_back(line: Line) -> None:
    """In whichever order: the first one's undo leaves what the second has decided as well."""
    first, second = await stopped(line), await stopped(line, sender="bob@nightjar.test")
    for item in (first, second):
        await guarding.block(line.house, line.workspace, item, "domain", person("ida"))
    await undoing.undo(line.house, line.workspace, first, person("ida"))
    (kept,) = await line.workspace.db.read(decisions.list_blocks)
    assert kept.pattern == "nightjar.test"
    await undoing.undo(line.house, line.workspace, second, person("ida"))
    assert await line.workspace.db.read(decisions.list_blocks) == []


async def test_an_allowance_that_two_releases_asked_for_stays_until_both_are_taken_back(
    line: Line,
) -> None:
    """In whichever order; and what a person has allowed by itself hangs on no release."""
    items = [await stopped(line), await stopped(line, f"{ATTACK} Now, please.")]
    order = Release(allow=("direct_override",))
    for undone in (items, items[::-1]):
        for item in items:
            await guarding.release(line.house, line.workspace, item, person("ida"), order)
        for item, left in zip(undone, (1, 0), strict=True):
            await undoing.undo(line.house, line.workspace, item, person("ida"))
            assert len(await line.workspace.db.read(decisions.list_allowances)) == left
    given = Allow(rule="direct_override", sender=EVE)
    await allowing.allow(line.house, line.workspace, given, person("ida"))
    with pytest.raises(ConflictError, match="is allowed for"):
        await allowing.allow(line.house, line.workspace, given, person("ida"))
    await guarding.release(line.house, line.workspace, items[0], person("ida"), order)
    await undoing.undo(line.house, line.workspace, items[0], person("ida"))
    assert len(await line.workspace.db.read(decisions.list_allowances)) == 1


async def test_block_unblock_block_and_undo(line: Line) -> None:
    """Lifted and made anew, a block is the newer decision's; the older one's undo leaves it."""
    first, second = await stopped(line), await stopped(line, sender="bob@nightjar.test")
    await guarding.block(line.house, line.workspace, first, "domain", person("ida"))
    await allowing.unblock(line.house, line.workspace, "nightjar.test", person("ida"))
    with pytest.raises(NotFoundError):
        await allowing.unblock(line.house, line.workspace, "nightjar.test", person("ida"))
    await guarding.block(line.house, line.workspace, second, "domain", person("ida"))
    await undoing.undo(line.house, line.workspace, first, person("ida"))
    assert len(await line.workspace.db.read(decisions.list_blocks)) == 1


async def test_a_message_of_nobody_can_be_decided_on(line: Line) -> None:
    """Without a From there is nobody to block or to allow, and that leaves nothing half done."""
    envelope = line.send("", raw=NOBODY, sender="")
    await line.run()
    assert await line.status(envelope) == "quarantined"
    for scope in ("sender", "domain"):
        with pytest.raises(ConflictError, match="nobody to block"):
            await guarding.block(line.house, line.workspace, envelope, scope, person("ida"))
    order = Release(allow=("direct_override",))
    with pytest.raises(ConflictError, match="no allowance"):
        await guarding.release(line.house, line.workspace, envelope, person("ida"), order)
    assert await line.status(envelope) == "quarantined"
    assert await examples(line.workspace) == (0, 0)
    assert await actions(line) == []
    await guarding.release(line.house, line.workspace, envelope, person("ida"))
    await line.run()
    assert await line.status(envelope) not in ("quarantined", "screening", "failed")


async def test_nothing_of_one_organization_is_decided_by_the_other(line: Line) -> None:
    """The other house's handle knows no such message, and its own mail of that sender comes in."""
    burdock = Organization(slug="burdock", name="Burdock", addresses=("hello@burdock.example",))
    await line.house.add_organization(burdock)
    other = await line.house.get_workspace("burdock")
    item = await stopped(line)
    for act in (guarding.release, guarding.confirm, undoing.undo):
        with pytest.raises(NotFoundError):
            await act(line.house, other, item, person("ida"))
    await guarding.block(line.house, line.workspace, item, "domain", person("ida"))
    own = line.send("When are you open?", sender=EVE)
    theirs = line.send("When are you open?", sender=EVE, to="hello@burdock.example")
    await line.run()
    while await intake_batch(line.house, other):
        pass
    assert await line.status(own) == "quarantined"
    (row,) = (await other.db.read(messages.read_messages, [theirs])).values()
    assert row.status == "threaded"


async def test_decisions_on_one_message_are_taken_back_newest_first(line: Line) -> None:
    """A correction on top of a release goes first, then the release; each restores its lesson."""
    item = await stopped(line, f"{ATTACK} {LURE}")
    house, workspace = line.house, line.workspace
    await guarding.correct(house, workspace, item, person("ida"), spam=True)
    await guarding.release(house, workspace, item, person("ida"))
    await guarding.correct(house, workspace, item, person("ida"), spam=True)
    lessons = [await workspace.db.read(learning.find_lesson, item)]
    for _ in range(3):
        await undoing.undo(house, workspace, item, person("ida"))
        lessons.append(await workspace.db.read(learning.find_lesson, item))
    assert lessons == [True, False, True, None]
    assert await line.status(item) == "quarantined"
    assert await examples(workspace) == (0, 0)


async def test_ten_thousand_stopped_messages_are_listed_page_by_page(line: Line) -> None:
    """Every page holds its share, newest first, no message twice, and the total is told."""
    item = await stopped(line)
    count = 10_000
    await line.workspace.db.write(_copies, item, count)
    seen: list[str] = []
    for offset in range(0, 1_000, 200):
        page, total = await line.workspace.db.read(_items, 200, offset)
        assert total == count + 1
        assert all(one.rules for one in page)
        seen += [one.message.id for one in page]
    last, _ = await line.workspace.db.read(_items, 200, count)
    assert len(last) == 1
    assert len(set(seen)) == 1_000


def _copies(cursor: Connection, item: str, count: int) -> None:
    """Make many messages of one, each with its journalled screening."""
    cursor.execute(
        "INSERT INTO messages BY NAME SELECT m.* REPLACE (printf('copy%05d', number) AS id, "
        "received_at + to_seconds(number) AS received_at) "
        "FROM messages m, range(?) numbers(number) WHERE id = ?",
        [count, item],
    )
    cursor.execute(
        "INSERT INTO steps BY NAME SELECT s.* REPLACE (printf('copy%05d', number) AS item_id) "
        "FROM steps s, range(?) numbers(number) WHERE item_id = ? AND stage = 'screen'",
        [count, item],
    )
