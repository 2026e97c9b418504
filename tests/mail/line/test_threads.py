"""Conversations through the real store: late parents, strangers, Message-IDs used twice."""

from flows.api.mail.message_view import message_views
from flows.api.mail.review.case_view import case_view
from flows.delivery import deliver_due
from tests.core.small import CUSTOMER, Line
from tests.mail.line.threads_of import BOB, EVE, answer, approve, grouped, live, view_of

PARENT, REPLY = "<parent@heron.example>", "<reply@heron.example>"


async def test_an_answer_before_its_parent_joins_it_and_its_draft_is_stale(line: Line) -> None:
    """The parent takes over the case of its answer, and the conversation has the parent's name."""
    reply = answer(line, "And on Saturdays?", PARENT, REPLY, subject="Re: The workshop")
    await line.run()
    (old,) = await live(line)
    parent = line.send("When are you open?", subject="The workshop", message_id=PARENT)
    await line.run()

    assert await grouped(line) == {frozenset({reply, parent})}
    (case,) = await live(line)
    assert case["id"] != old["id"]
    assert case["message_ids"] == [parent, reply], "the reply answers the later one"
    assert (await view_of(line, reply)).subject == "The workshop"
    (message,) = await line.workspace.db.read(message_views, [parent])
    assert message.thread_reason == "an answer to it came before it"


async def test_a_parent_that_comes_after_the_reply_has_left_sends_nothing_twice(line: Line) -> None:
    """What was answered stays answered; only the parent makes a case."""
    answer(line, "And on Saturdays?", PARENT, REPLY)
    await line.run()
    (first,) = await live(line)
    await approve(line, str(first["id"]))
    await deliver_due(line.house, line.workspace, 10)
    parent = line.send("When are you open?", message_id=PARENT)
    await line.run()

    cases = await live(line)
    assert [case["state"] for case in cases] == ["sent", "in_review"]
    assert cases[1]["message_ids"] == [parent]
    assert len({case["thread_id"] for case in cases}) == 1
    assert len(await line.rows("SELECT id FROM deliveries")) == 1


async def test_two_conversations_are_joined_with_their_cases_and_an_event(line: Line) -> None:
    """A parent of two conversations makes them one; cases, our own ids and views go along."""
    one = answer(line, "What is an inspection?", "<p@heron.example>", "<1@h>", subject="Repair")
    two = answer(line, "When are you open?", "<q@heron.example>", "<2@h>", subject="Hours")
    await line.run()
    first, second = sorted(await live(line), key=lambda case: case["message_ids"] != [one])
    await approve(line, str(first["id"]))
    await deliver_due(line.house, line.workspace, 10)
    bridge = line.send(
        "Both, please.",
        subject="Two things",
        message_id="<3@h>",
        headers={"References": "<1@h> <2@h>"},
    )
    await line.intake()
    assert await grouped(line) == {frozenset({one, two, bridge})}
    (shown,) = await line.rows("SELECT version FROM cases WHERE id = ?", second["id"])
    assert shown["version"] > second["version"], "what was shown before cannot be approved"
    await line.work()

    found = {tuple(case["message_ids"]): case["state"] for case in await live(line)}
    assert found == {(one,): "sent", (two, bridge): "in_review"}
    view = await view_of(line, two)
    assert [entry.outbound for entry in view.entries].count(True) == 1
    assert view.messages == 3
    (change,) = view.changes
    assert (change.kind, change.actor) == ("join", "thread")
    events = await line.rows("SELECT state, note FROM events WHERE item_kind = 'thread'")
    assert {row["state"] for row in events} == {"join"}
    assert bridge in str(events[0]["note"])


async def test_a_stranger_is_linked_and_the_link_is_shown_on_both_sides(line: Line) -> None:
    """Naming somebody's Message-ID gains a link that people see, before or after its owner."""
    early = answer(line, "What did she write?", PARENT, "<e1@shrike.test>", sender=EVE)
    await line.run()
    hers = line.send("My invoice number is 7.", message_id=PARENT)
    await line.run()
    late = answer(line, "And now?", PARENT, "<e2@shrike.test>", sender=EVE, subject="Other words")
    await line.run()

    owner = await view_of(line, hers)
    assert {link.contact.email for link in owner.referred_by} == {EVE}
    for message in (early, late):
        stranger = await view_of(line, message)
        assert [link.id for link in stranger.refers_to] == [owner.id]
    assert frozenset({hers}) in await grouped(line)


async def test_a_colleague_shares_the_conversation_but_not_the_case(line: Line) -> None:
    """Two people in one conversation get replies of their own, from what each was party to."""
    first = line.send("When are you open?", message_id=PARENT, headers={"Cc": BOB})
    await line.run()
    second = answer(
        line, "I ask as well, my number is 4711.", PARENT, REPLY, sender=BOB, Cc=CUSTOMER
    )
    await line.run()
    assert await grouped(line) == {frozenset({first, second})}
    cases = await live(line)
    assert [case["message_ids"] for case in cases] == [[first], [second]]
    assert [case["contact_email"] for case in cases] == [CUSTOMER, BOB]


async def test_the_same_message_id_with_other_content_is_worked_on_linked_and_flagged(
    line: Line,
) -> None:
    """Both messages are shown with a link to the other, and neither reply leaves by itself."""
    first = line.send("When are you open?", message_id=PARENT)
    await line.run()
    second = line.send("Where are you?", subject="Address", sender=EVE, message_id=PARENT)
    await line.run()

    views = await line.workspace.db.read(message_views, [first, second])
    assert [view.same_id_as for view in views] == [second, first]
    rows = await line.rows("SELECT verdict FROM messages WHERE id = ?", second)
    assert rows[0]["verdict"] == "flagged"
    (_, case) = await live(line)
    assert case["message_ids"] == [second]
    decision = (await case_view(line.house, line.workspace, str(case["id"]))).decision
    assert decision is not None
    barred = next(gate for gate in decision.gates if gate.name == "message_form")
    assert not barred.passed
    assert "Message-ID" in barred.reason


async def test_a_repeated_copy_is_neither_flagged_nor_worked_on(line: Line) -> None:
    """The sender's retry of one mail is a duplicate, not another message of the same id."""
    ids = [line.send("When are you open?", message_id=PARENT) for _ in range(2)]
    await line.run()
    assert [await line.status(one) for one in ids] == ["draft_ready", "stored"]
    found = await line.rows("SELECT same_id_as FROM messages")
    assert [row["same_id_as"] for row in found] == [None, None]


async def test_mail_without_a_sender_is_never_together(line: Line) -> None:
    """Two messages that name nobody in From are two conversations, same subject or not."""
    raw = b"Subject: Broken gear\r\nMessage-ID: <%d@x>\r\n\r\nHelp, number %d.\r\n"
    for number in range(2):
        line.send("", raw=raw % (number, number))
    await line.intake()
    assert len(await grouped(line)) == 2


async def test_a_conversation_keeps_everything_that_it_names(line: Line) -> None:
    """A stranger who names two conversations is linked to both; each knows him, and no circle."""
    one = line.send("When are you open?", subject="Hours", message_id="<a@heron.example>")
    two = line.send(
        "What is an inspection?", subject="Price", message_id="<b@heron.example>",
        sender="ole@heron.example",
    )  # fmt: skip
    await line.run()
    both = line.send(
        "Tell me too.",
        subject="Curious",
        sender=EVE,
        message_id="<e@shrike.test>",
        headers={"In-Reply-To": "<a@heron.example>"},
    )
    await line.run()
    line.send(
        "And that.",
        subject="Re: Curious",
        sender=EVE,
        headers={"References": "<e@shrike.test> <b@heron.example>"},
    )
    await line.run()
    hers = await view_of(line, both)
    owners = [await view_of(line, item) for item in (one, two)]
    assert {link.id for link in hers.refers_to} == {owner.id for owner in owners}
    assert hers.referred_by == ()
    for owner in owners:
        assert [link.id for link in owner.referred_by] == [hers.id]
        assert owner.refers_to == ()


async def test_ids_that_disagree_are_not_overruled_by_an_equal_subject(line: Line) -> None:
    """Two conversations of one contact and subject stay two where answers name which they mean."""
    line.send("When are you open?", subject="Loom", message_id="<a@heron.example>")
    await line.run()
    await line.workspace.db.write(  # so long ago that the subject alone continues nothing
        lambda cursor: cursor.execute("UPDATE letterheads SET came_at = came_at - INTERVAL 60 DAY")
    )
    line.send("What is an inspection?", subject="Loom", message_id="<b@heron.example>")
    await line.run()
    for name in ("a", "b"):
        line.send(
            "Thanks, and Saturdays?",
            subject="Re: Loom",
            message_id=f"<answer-{name}@heron.example>",
            headers={"In-Reply-To": f"<{name}@heron.example>"},
        )
        await line.run()
    counts = await line.rows("SELECT message_count FROM threads WHERE merged_into IS NULL")
    assert sorted(row["message_count"] for row in counts) == [2, 2]
