"""Old mail of a long conversation, shortened by a model: asked once, checked, never trusted."""

from typing import Any

import pytest

from data.records.core.briefing import Briefing, Snippet, SourceKind, Tier
from data.records.mail.orders import ArchiveCase
from flows.mail.people import reviewing
from tasks.mail.context.summary_form import read_summaries
from tests.core.models import chat_api, messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import CUSTOMER, Line
from tests.mail.models.forms import agent_of, sensible, user_turn
from tests.people import person

APIS: dict[str, Any] = {"anthropic": messages_api, "openai": chat_api}
FILLER = "The river was calm and we saw two herons near the old mill on our way home. " * 4
SHORT = "The contact told of herons."
GIVEN = {"context_tokens": 700, "context_recent_messages": 1}


def shortening(api: Any, told: Step | None = None) -> Step:  # noqa: ANN401  # one of two modules
    """Answer sensibly; shorten every piece to the same words, or answer by the step `told`."""
    well = sensible(api.fills)

    def step(seen: Seen) -> Answer:
        if agent_of(seen) != "summarizer":
            return well(seen)
        pieces = len(user_turn(seen)["mail"])
        entries = [{"ref": str(number + 1), "text": SHORT} for number in range(pieces)]
        return (told or api.fills({"entries": entries}))(seen)

    return step


async def talk(line: Line, count: int) -> None:
    """Send that many long messages of one conversation, each a case of its own."""
    for number in range(count):
        for row in await line.rows("SELECT id, version FROM cases WHERE state = 'in_review'"):
            closed = ArchiveCase(version=int(str(row["version"])))
            await reviewing.archive(
                line.house, line.workspace, str(row["id"]), closed, person("ida")
            )
        asked = "Is the slipway wide enough? " if number == 0 else ""
        line.send(
            f"Part {number}. {FILLER}{asked}{FILLER}",
            subject="The loom of the old mill",
            message_id=f"<m{number}@heron.example>",
        )
        await line.run()


async def briefings(line: Line) -> list[Briefing]:
    """Return the briefing of every case, oldest first."""
    rows = await line.rows(
        "SELECT output FROM steps WHERE stage = 'context' AND status = 'done' ORDER BY started_at"
    )
    return [Briefing.model_validate_json(str(row["output"])) for row in rows]


@pytest.mark.parametrize("provider", list(APIS))
async def test_the_middle_tier_is_shortened_by_a_model_where_there_is_one(
    thinking: OpenThinking, provider: str
) -> None:
    """Its words stand in the briefing; what was asked survives by code; each version is kept."""
    step = shortening(APIS[provider])
    async with StandIn([step]) as server, thinking(server, provider, **GIVEN) as line:
        await talk(line, 5)
        made = await briefings(line)
        kept = await line.rows("SELECT contact_email, version FROM thread_summaries")
        asked = [seen for seen in server.seen if agent_of(seen) == "summarizer"]
        again = await line.rows("SELECT id FROM cases ORDER BY created_at DESC LIMIT 1")
        journal = await line.rows("SELECT sum(tokens_in) AS n FROM steps WHERE stage = 'context'")
    cut = [one for one in made if one.tier is Tier.COMPACTED]
    assert cut
    assert again
    assert len(asked) == len(cut)
    assert journal[0]["n"]
    texts = [one.text for one in cut[-1].of(SourceKind.THREAD)]
    assert any(text.startswith(SHORT) for text in texts)
    assert "Is the slipway wide enough?" in " ".join(texts)
    assert cut[-1].provider != "local"
    assert not any(one.trusted for one in cut[-1].of(SourceKind.THREAD))
    assert [row["contact_email"] for row in kept] == [CUSTOMER]


async def test_the_same_conversation_is_not_asked_about_twice(thinking: OpenThinking) -> None:
    """Working on a case again takes what was made of the same messages before."""
    async with (
        StandIn([shortening(messages_api)]) as server,
        thinking(server, **GIVEN) as line,
    ):
        await talk(line, 4)
        before = sum(agent_of(seen) == "summarizer" for seen in server.seen)
        (row,) = await line.rows("SELECT id FROM cases ORDER BY created_at DESC LIMIT 1")
        await again(line, str(row["id"]))
        after = sum(agent_of(seen) == "summarizer" for seen in server.seen)
    assert before >= 1
    assert after == before


async def again(line: Line, case_id: str) -> None:
    """Have a case worked on again from the context on."""
    await reviewing.retry(line.house, line.workspace, case_id, person("ida"))
    await line.run()


async def test_without_an_answer_the_embedded_summary_stands(thinking: OpenThinking) -> None:
    """A fault leaves the sentences that are picked here, and the briefing says why."""
    step = shortening(messages_api, messages_api.error(529, "overloaded_error", retry_after="0"))
    async with StandIn([step]) as server, thinking(server, **GIVEN) as line:
        await talk(line, 4)
        made = [one for one in await briefings(line) if one.tier is Tier.COMPACTED]
        kept = await line.rows("SELECT * FROM thread_summaries")
    assert made
    assert made[-1].provider == "local"
    assert made[-1].fallback == "The provider is overloaded."
    assert "Is the slipway wide enough?" in " ".join(one.text for one in made[-1].snippets)
    assert kept == []


def piece(text: str, *, outbound: bool = False) -> Snippet:
    """Return a piece of a conversation."""
    return Snippet(source=SourceKind.THREAD, ref="message:1", text=text, outbound=outbound)


@pytest.mark.parametrize(
    ("text", "binding", "outbound"),
    [
        (f"{FILLER} Can I bring my dog? {FILLER}", "Can I bring my dog?", False),
        (f"{FILLER} We promise to keep the red one. {FILLER}",
         "We promise to keep the red one.", True),
    ],
)  # fmt: skip
def test_what_binds_is_put_back(text: str, binding: str, outbound: bool) -> None:
    """A commitment or question that the model left out stands in the summary all the same."""
    (made,) = read_summaries([piece(text, outbound=outbound)],
                         {"entries": [{"ref": "1", "text": "Herons."}]})  # fmt: skip
    assert made.text == f"Herons. {binding}"


def test_a_summary_cannot_lead_away() -> None:
    """A link or address that the piece does not hold voids the text."""
    for text in ("See evil.test for more.", "Write to eve@evil.test."):
        (made,) = read_summaries([piece(FILLER)], {"entries": [{"ref": "1", "text": text}]})
        assert made.text == FILLER
