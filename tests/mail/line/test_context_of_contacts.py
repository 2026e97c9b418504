"""Whoever writes whatever in whichever conversation: no context holds another contact's mail."""

import random

import pytest

from data.records.mail.conversations import MergeThreads
from flows.api.mail.review.case_view import case_view
from flows.mail.people.threading_merge import merge
from tests.core.small import Line
from tests.people import person

PEOPLE = ("mara@heron.example", "jon@bittern.example", "eve@shrike.test")


@pytest.mark.parametrize("seed", [3, 17])
async def test_no_case_holds_what_another_contact_wrote_to_us_alone(line: Line, seed: int) -> None:
    """Random mail, answers that name anybody's ids, and merges: each case sees its own words."""
    rng = random.Random(seed)
    sent: dict[str, str] = {}
    ids: list[str] = []
    for number in range(14):
        who = rng.choice(PEOPLE)
        named = rng.choice(ids) if ids and rng.random() < 0.7 else ""
        secret = f"mark{number}{who.partition('@')[0]}"
        line.send(
            f"When are you open? My word for this is {secret}.",
            sender=who,
            subject=rng.choice(("Opening hours", "Re: Opening hours", "Loom")),
            message_id=f"<{number}@h>",
            headers={"In-Reply-To": named, "References": named} if named else {},
        )
        ids.append(f"<{number}@h>")
        sent[secret] = who
        await line.run()
        if number in (5, 9):
            await _merge_two(line, rng)
    await line.run()

    cases = await line.rows("SELECT id, contact_email FROM cases WHERE state <> 'superseded'")
    told = 0
    for row in cases:
        view = await case_view(line.house, line.workspace, str(row["id"]))
        seen = " ".join(f"{s.title} {s.text}" for s in view.snippets)
        told += sum(secret in seen for secret in sent)
        own = {secret for secret, who in sent.items() if who == row["contact_email"]}
        assert not {secret for secret in sent if secret in seen} - own
        assert all(message.sender.email == row["contact_email"] for message in view.messages)  # type: ignore[union-attr]
    assert told, "no case had any history; the test says nothing"


async def _merge_two(line: Line, rng: random.Random) -> None:
    """Let a person make two conversations of any contacts one."""
    threads = [
        row["id"] for row in await line.rows("SELECT id FROM threads WHERE merged_into IS NULL")
    ]
    if len(threads) > 1:
        mine, other = rng.sample([str(one) for one in threads], 2)
        order = MergeThreads(other=other, across_contacts=True)
        await merge(line.house, line.workspace, mine, order, person("ida"))
