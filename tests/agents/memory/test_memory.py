"""What is said is remembered once, a newer value takes the place of the older, and both stay."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from connectors.embedding import embedder_from
from data.records.agents.memories import Layer, LayerKind, Provenance
from data.settings import Settings
from data.store.agents import memories as store
from data.word_lists import word_list
from flows.agents.memory import Memories, build_memories, hand_over_layer
from flows.upkeep import forget_files
from tasks.core.language.embedding import embed
from tests.agents.memory.remembering import IDA, recalled, say, states
from tests.core.mind.embedding_server import embedding_server
from tests.core.small import Line, open_line

TOM = Layer(kind=LayerKind.USER, owner="user-tom")
ORGANIZATION = Layer(kind=LayerKind.ORGANIZATION)
PAIRS = word_list(Path(__file__).with_name("superseded.yaml"))
RESTATED = (
    "I prefer short answers.",
    "I prefer short answers",
    "By the way, I prefer short answers.",
    "As I said, I prefer short answers.",
    "Please remember that I prefer short answers.",
    "Remember: I prefer short answers!",
    "I like short answers.",
    "Well, I prefer the short answers.",
    "For the record: I prefer short answers.",
)


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Line]:
    """A tiny organization."""
    async with open_line(tmp_path / "var") as opened:
        yield opened


@pytest.fixture
def memories(line: Line) -> Memories:
    """What it remembers."""
    return build_memories(line.house, line.workspace)


async def test_thirty_superseded_facts_are_recalled_by_their_newest_value(
    line: Line, memories: Memories
) -> None:
    """Each in a layer of its own; the older value is kept with its time, and never recalled."""
    assert len(PAIRS) == 30
    wrong = []
    for number, (old, new, question) in enumerate(PAIRS):
        layer = Layer(kind=LayerKind.USER, owner=f"user-{number}")
        await say(memories, old, layer)
        await say(memories, new, layer)
        if (answer := await recalled(memories, question, layer)) != [new]:
            wrong.append((question, answer))
    assert wrong == []
    closed = await line.rows("SELECT closed_at, closed_by FROM memories WHERE state = 'superseded'")
    assert len(closed) == 30
    assert all(row["closed_at"] and row["closed_by"] for row in closed)


async def test_nine_restatements_are_one_line(line: Line, memories: Memories) -> None:
    """It is counted how often it was said, and each time's words are kept."""
    for text in RESTATED:
        await say(memories, text)
    assert await states(line) == [(RESTATED[0], "current")]
    (row,) = await line.rows("SELECT count FROM memories")
    assert row["count"] == 9
    (row,) = await line.rows("SELECT count(*) AS number FROM memory_evidence")
    assert row["number"] == 9


async def test_what_differs_is_not_taken_for_the_same(line: Line, memories: Memories) -> None:
    """Another number, another day or a denial is another statement."""
    for text in (
        "I work from home on Tuesdays.",
        "I work from home on Thursdays.",
        "We ship to Norway.",
        "We ship to Iceland.",
        "Ana looks after the invoices.",
        "Ana does not look after the invoices.",
    ):
        await say(memories, text)
    assert [state for _, state in await states(line)] == ["current"] * 6


async def test_a_persons_wording_is_not_replaced_by_what_was_picked_up(
    line: Line, memories: Memories
) -> None:
    """It is proposed instead; a person who asks for it is followed."""
    await say(memories, "The meeting length is 30 minutes.", corrected=True, explicit=True)
    picked_up = await say(memories, "Our meetings take 45 minutes.")
    assert picked_up.outcome == "proposed"
    assert await recalled(memories, "How long are meetings?") == [
        "The meeting length is 30 minutes."
    ]
    asked_for = await say(memories, "Our meetings take 60 minutes.", explicit=True)
    assert asked_for.outcome == "superseded"
    assert await recalled(memories, "How long are meetings?") == ["Our meetings take 60 minutes."]


async def test_what_strangers_wrote_needs_a_yes_to_be_known_by_more_than_one(
    memories: Memories,
) -> None:
    """It is proposed to the organization, and remembered as mail for one person."""
    for_all = await say(
        memories, "Invoices go to Box 9.", ORGANIZATION, provenance=Provenance.MAIL, explicit=True
    )
    assert for_all.outcome == "proposed"
    own = await say(memories, "Invoices go to Box 9.", provenance=Provenance.MAIL)
    assert own.memory is not None
    assert (own.outcome, own.memory.provenance) == ("added", Provenance.MAIL)


async def test_provenance_is_the_least_trusted_along_the_lineage(memories: Memories) -> None:
    """What was made from a mail stays a stranger's, whoever words it."""
    mail = await say(memories, "The parcel weighs 9 kilos.", provenance=Provenance.MAIL)
    assert mail.memory is not None
    made = await say(
        memories,
        "Parcels of Heron are heavy.",
        ORGANIZATION,
        lineage=(mail.memory.id,),
        seen=(IDA,),
    )
    assert made.memory is not None
    assert (made.outcome, made.memory.provenance) == ("proposed", Provenance.MAIL)


async def test_what_a_person_has_refused_is_not_proposed_again(
    line: Line, memories: Memories
) -> None:
    """Unless somebody asks for it."""
    proposed = await say(memories, "Tom likes tea.", ORGANIZATION, needs_yes=True)
    assert proposed.outcome == "proposed"
    await line.workspace.db.write(
        lambda cursor: cursor.execute("UPDATE memories SET state = 'rejected'") and None
    )
    again = await say(memories, "Tom likes tea.", ORGANIZATION, needs_yes=True)
    assert again.outcome == "refused"
    asked_for = await say(memories, "Tom likes tea.", ORGANIZATION, explicit=True)
    assert asked_for.outcome == "added"


async def test_what_was_refused_and_is_asked_for_after_all_takes_the_place(
    line: Line, memories: Memories
) -> None:
    """Of the value that holds: one thing has one value, whatever was said no to before."""
    await say(memories, "Our meetings take 45 minutes.")
    await say(memories, "Our meetings take 30 minutes.", needs_yes=True)
    await line.workspace.db.write(
        lambda cursor: (
            cursor.execute("UPDATE memories SET state = 'rejected' WHERE state = 'proposed'")
            and None
        )
    )
    asked_for = await say(memories, "Our meetings take 30 minutes.", explicit=True)
    assert asked_for.outcome == "superseded"
    assert await recalled(memories, "How long are meetings?") == ["Our meetings take 30 minutes."]


async def test_what_was_said_earlier_and_read_later_takes_no_place(
    line: Line, memories: Memories
) -> None:
    """What an engine before this one left unread is older than what was said since."""
    said_at = line.clock()
    line.clock.forward(60)
    await say(memories, "Our meetings take 45 minutes.")
    late = [await say(memories, "Our meetings take 30 minutes.", said_at=said_at) for _ in range(2)]
    assert [one.memory.text for one in late if one.memory] == ["Our meetings take 45 minutes."] * 2
    assert await recalled(memories, "How long are meetings?") == ["Our meetings take 45 minutes."]
    assert [state for _, state in await states(line)] == ["current", "superseded"]


@pytest.mark.parametrize(
    "text",
    [
        "My password for the portal is tulip-Harbour-93.",
        "Die IBAN von meinem Konto ist DE89 3704 0044 0532 0130 00.",
        "The card number is 4111 1111 1111 1111.",
        "Je prends des comprimés pour la tension.",
        "Tengo diabetes desde 2019.",
        "The key is sk-live-4242aaaabbbbccccddddeeee.",
    ],
)
async def test_secrets_health_and_cards_are_never_kept(
    line: Line, memories: Memories, text: str
) -> None:
    """Not even when a person asks for it, and nothing of the words is in the refusal."""
    refused = await say(memories, text, explicit=True)
    assert refused.outcome == "refused"
    assert not set(text.split()) & {word for word in refused.why.split() if len(word) > 5}
    assert await states(line) == []


async def test_long_texts_are_whole_in_the_archive(line: Line, memories: Memories) -> None:
    """4 KiB stand in the state; the whole is given back, and goes with the item."""
    text = "The north customers: " + ", ".join(f"customer {number}" for number in range(600))
    kept = await say(memories, text)
    assert kept.memory is not None
    assert (len(kept.memory.text.encode()), kept.memory.size) == (4096, len(text.encode()))
    assert await memories.read_whole_text(kept.memory) == text
    await memories.delete((IDA,), [kept.memory.id])
    assert not line.workspace.archive.path(kept.memory.spilled).exists()


async def test_a_long_text_that_is_nobody_s_goes_though_the_engine_died(
    line: Line, memories: Memories
) -> None:
    """Cut off before a row named it, or between the row's end and the file's."""
    texts = [f"The {side} customers:" + " customer," * 600 for side in ("north", "south", "west")]
    never_named = await memories.spill_text(texts[0])
    gone, stays = [(await say(memories, text)).memory for text in texts[1:]]
    assert gone is not None
    assert stays is not None
    await line.workspace.db.write(store.delete, (IDA,), [gone.id], line.clock())
    line.clock.forward(timedelta(days=2).total_seconds())
    await line.workspace.db.write(forget_files, line.workspace, line.house.settings, line.clock())
    there = [line.workspace.archive.path(one).exists() for one in (never_named, gone.spilled)]
    assert there == [False, False]
    assert await memories.read_whole_text(stays) == texts[2]
    assert await line.rows("SELECT * FROM archive_leftovers") == []


async def test_nothing_is_recalled_when_nothing_fits(memories: Memories) -> None:
    """Silence is better than a guess."""
    await say(memories, "Our supplier for wool is Heron Yarns.")
    assert await recalled(memories, "Who won the regatta in Kiel in 1998?") == []


async def test_a_wider_layer_counts_before_a_narrower_one(memories: Memories) -> None:
    """Of two that fit equally the organization's goes first."""
    await say(memories, "The return period is 14 days.", IDA)
    await say(memories, "The return period is 30 days.", ORGANIZATION)
    both = await recalled(memories, "What is the return period?", IDA, ORGANIZATION)
    assert both == ["The return period is 30 days.", "The return period is 14 days."]


async def test_a_lost_index_is_made_anew(line: Line, memories: Memories) -> None:
    """The state is the truth."""
    await say(memories, "Our supplier for wool is Heron Yarns.")
    await line.workspace.memory_index.forget()
    assert await recalled(memories, "Who supplies wool?") == [
        "Our supplier for wool is Heron Yarns."
    ]


async def test_what_an_agent_knew_goes_into_the_organizations_custody(
    line: Line, memories: Memories
) -> None:
    """When the agent goes: it is recalled in the other layer, and the index follows.

    What the organization knows otherwise goes before, and strangers' words wait for a yes.
    """
    agent = Layer(kind=LayerKind.AGENT, owner="desk")
    await say(memories, "Invoices of Heron Yarns come twice.", agent)
    question = "What about the invoices of Heron?"
    assert await recalled(memories, question, ORGANIZATION) == []
    for text in ("Our meetings take 30 minutes.", "Our gate is green."):
        await say(memories, text, agent)
    await say(memories, "Parcels go to Box 9.", agent, provenance=Provenance.MAIL)
    for text in ("Our meetings take 45 minutes.", "Our gate is green."):
        await say(memories, text, ORGANIZATION)
    db, now = line.workspace.db, line.clock()
    assert await db.write(hand_over_layer, agent, ORGANIZATION, now) == 4
    for asked, known in (
        ("How long are our meetings?", ["Our meetings take 45 minutes."]),
        ("Which colour is our gate?", ["Our gate is green."]),
        ("Where do parcels go?", []),
    ):
        assert await recalled(memories, asked, ORGANIZATION) == known
    (waiting,) = await db.read(store.list_proposed, [ORGANIZATION])
    assert (waiting.text, waiting.asked_of) == ("Parcels go to Box 9.", "organization")
    assert await recalled(memories, question, ORGANIZATION) == [
        "Invoices of Heron Yarns come twice."
    ]
    assert await recalled(memories, question, agent) == []


async def test_what_is_known_is_found_by_its_words_while_no_vectors_are_made(
    memories: Memories,
) -> None:
    """Also after something was said that the server of vectors was not there for."""
    with embedding_server() as server:
        settings = Settings(embedding_provider="ollama", embedding_base_url=server.url)
        embedder = embedder_from(settings, embed)
        over_there = replace(memories, embedder=lambda: embedder)
        await say(over_there, "Our supplier for wool is Heron Yarns.")
        asked = "Who is our supplier for wool?"
        assert await recalled(over_there, asked)
        await say(over_there, "My canoe is green.")
        server.script = [404] * 9
        assert await recalled(over_there, asked) == ["Our supplier for wool is Heron Yarns."]
        server.script = []
        assert await recalled(over_there, "Which canoe is green?") == ["My canoe is green."]
