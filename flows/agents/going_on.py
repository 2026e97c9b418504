"""The earlier question of a chat, by which a message is filled up (docs/agents.md#going-on)."""

from data.records.agents.chats import AuthorKind, ChatMessage
from data.store.agents import chats
from flows.agents.calls import Calls
from tasks.agents.addressing import cut_mentions
from tasks.agents.going_on import EarlierQuestion, is_incomplete, understand_follow_up
from tasks.agents.short_forms import write_out_short_forms
from tasks.agents.triage import Triage, UtteranceKind
from tasks.core.language.lists import language_of

_EARLIER = 8
"""Messages before one that are looked at."""


async def read_follow_up(calls: Calls, asked: ChatMessage, text: str) -> Triage | None:
    """Return what a message means behind what its author said to the agent just before.

    None where it stands by itself. What others say in between ends what it could go on with.
    """
    if asked.place == 1 or calls.turn.also:
        return None
    earlier, _ = await calls.calling.workspace.db.read(
        chats.list_messages,
        asked.chat_id,
        before=asked.place,
        limit=_EARLIER,
        session=asked.session,
    )
    exchanges: list[EarlierQuestion] = []
    for message in earlier:
        if message.author is AuthorKind.PERSON and message.author_id == asked.author_id:
            exchanges.append(
                EarlierQuestion(asked=write_out_short_forms(cut_mentions(message.text)))
            )
        elif message.author_id == calls.turn.agent and exchanges:
            exchanges[-1] = exchanges[-1].model_copy(update={"about": message.sources})
        else:
            exchanges.clear()
    if not exchanges:
        return None
    going_on = understand_follow_up(text, exchanges)
    if going_on is None and is_incomplete(text):
        return Triage(category=UtteranceKind.CONVERSATION, language=language_of(text))
    return going_on
