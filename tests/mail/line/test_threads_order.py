"""The order in which mail is taken in changes no conversation, in one batch or one by one."""

from itertools import permutations

import pytest

from tests.core.small import Line, letter
from tests.mail.line.threads_of import grouped

LETTERS = (
    ("a", "Loom", ""),
    ("b", "Re: Loom", "<a{n}@h>"),
    ("c", "Something else", "<a{n}@h> <b{n}@h>"),
    ("d", "Re: Something else", "<c{n}@h>"),
)
ORDERS = [order for order in permutations(range(4)) if order[0] != 0][::4]


@pytest.mark.parametrize("one_by_one", [True, False])
async def test_the_order_of_intake_changes_no_conversation(line: Line, one_by_one: bool) -> None:
    """A question, an answer and two more are one conversation, whichever comes first."""
    expected = set()
    for n, order in enumerate(ORDERS):
        sender, sent = f"mara{n}@heron.example", {}
        for number in order:
            name, subject, named = LETTERS[number]
            raw = letter(
                f"Text {name} of {n}.",
                subject=f"{subject} {n}",
                sender=sender,
                message_id=f"<{name}{n}@h>",
                headers={"References": named.format(n=n)} if named else {},
            )
            sent[name] = line.send("", sender=sender, raw=raw)
            if one_by_one:
                await line.intake()
        expected.add(frozenset(sent.values()))
    await line.intake()
    assert await grouped(line) == expected
    shown = await line.rows("SELECT subject, message_count FROM threads WHERE merged_into IS NULL")
    assert sorted(str(row["subject"]) for row in shown) == [f"Loom {n}" for n in range(len(ORDERS))]
    assert {row["message_count"] for row in shown} == {4}
