"""An agent's questions to each person, asked before anything else, one at a time.

A manifest's questions with `asked_of: user` are answered by each person: in the chat, where the
agent asks them before anything else, or on the agent's page (docs/agents.md#settings).
"""

from contextlib import suppress
from datetime import datetime

from pydantic import JsonValue

from data.agent_settings import fields_asked_of, fit_settings, read_answer
from data.errors import NotFoundError, UnfitError
from data.records.agents.agents import NewAnswers, OwnAnswers
from data.records.agents.chats import AuthorKind, ChatMessage
from data.records.agents.turns import MoveKind
from data.records.core.manifest_format import AgentManifest, ConfigurationField, SettingValue
from data.records.core.principals import Principal
from data.records.core.record import Record
from data.store.agents import answers, chats
from data.store.agents.answers import AnswerRow
from data.store.core.database import Connection
from flows.agents.available import read_available_agent, read_manifest
from flows.agents.calls import Calls
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.agents.conversing import Answer, cut_escapes, escape_words
from tasks.core.language.lists import language_of
from tasks.core.wording import word_sentence
from tasks.core.words.sentences import single_spaced


class Onboarding(Record):
    """What came of asking, as the journal keeps it."""

    says: tuple[str, ...] = ()
    """What is said in the place of an answer: a question of the agent's."""
    text: str = ""
    """What is to be answered now, where nothing is asked."""
    thanks: str = ""
    """What is said before that."""

    @property
    def answer(self) -> Answer | None:
        """What is said in the place of an answer; None where nothing is asked."""
        return Answer(pieces=self.says) if self.says else None


async def onboard_person(calls: Calls, asked: ChatMessage, text: str) -> Onboarding:
    """Take an answer, ask what is still missing, or let the turn go on with what began it."""
    fields = fields_asked_of(calls.manifest.agent, "user")
    if not fields or calls.turn.by_itself:
        return Onboarding(text=text)
    calling = calls.calling

    async def look() -> JsonValue:
        now = calling.house.clock()
        came = await calling.workspace.db.write(
            _take_answer_or_ask, calls, fields, asked, text, now
        )
        return came.model_dump(mode="json")

    return Onboarding.model_validate(
        await calls.journal.do_move(MoveKind.TRIAGE, look, name="onboard", durable=True)
    )


def _take_answer_or_ask(
    cursor: Connection,
    calls: Calls,
    fields: tuple[ConfigurationField, ...],
    asked: ChatMessage,
    text: str,
    now: datetime,
) -> Onboarding:
    agent, user_id = calls.manifest.agent, calls.calling.principal.id
    preferred = chats.read_preferences(cursor, user_id)
    language = preferred.language or language_of(text)
    field_by_name = {field.field: field for field in fields}
    began_by, answered = asked.id, False
    for name, row in answers.read_rows(cursor, agent.slug, user_id).items():
        if name not in field_by_name:
            continue
        if row.answered_by == asked.id:  # an engine before this one has taken it
            began_by, answered = row.began_by, True
        elif not row.value and _is_question_open(cursor, row, field_by_name[name], asked):
            value = _find_value_answered(field_by_name[name], text)
            if value is None:
                question = _build_question(field_by_name[name], language)
                return Onboarding(
                    says=(word_sentence(language, "onboard_again", question=question),)
                )
            began_by, answered = row.began_by, True
            ids = {"answered_by": asked.id, "began_by": began_by}
            answers.keep_answers(cursor, agent.slug, user_id, {name: value}, now, **ids)
    there = list_own_answers(cursor, agent, user_id).values
    missing = [field for field in fields if field.required and field.field not in there]
    if missing:
        row = AnswerRow(agent.slug, user_id, missing[0].field, "", asked.chat_id, began_by, "", now)
        answers.note_question(cursor, row)
        key = "onboard_next" if answered else "onboard_first"
        question = _build_question(missing[0], language)
        return Onboarding(says=(word_sentence(language, key, question=question),))
    if not answered:
        return Onboarding(text=text)
    first = text
    if began_by != asked.id:
        with suppress(NotFoundError):  # the chat that it was said in may be gone
            first = chats.read_message(cursor, began_by).text
    return Onboarding(text=first, thanks=word_sentence(language, "onboard_done"))


def _is_question_open(
    cursor: Connection, row: AnswerRow, field: ConfigurationField, asked: ChatMessage
) -> bool:
    """Return whether a message comes behind a question of the agent's.

    A chat program begins a chat with each request; what it was asked stands in what it sends.
    """
    if row.chat_id == asked.chat_id:
        return True
    before, _ = chats.list_messages(cursor, asked.chat_id, before=asked.place, limit=1)
    return any(
        message.author is AuthorKind.AGENT and field.label in cut_escapes(message.text)
        for message in before
    )


def _find_value_answered(asked: ConfigurationField, text: str) -> SettingValue | None:
    """Return what a message answers to a question; None where it is none, or asks back."""
    answer = single_spaced(text)
    if answer.endswith("?"):
        return None
    try:
        values = fit_settings([asked], {asked.field: read_answer(asked, answer)})
    except UnfitError:
        return None
    return values.get(asked.field)


def _build_question(asked: ConfigurationField, language: str) -> str:
    options = ", ".join(asked.options)
    return escape_words(asked.label) + (
        f" {word_sentence(language, 'onboard_options', options=escape_words(options))}"
        if options
        else ""
    )


def list_own_answers(cursor: Connection, agent: AgentManifest, user_id: str) -> OwnAnswers:
    """Return what an agent asks of a person, and what that person has answered."""
    fields = fields_asked_of(agent, "user")
    there = answers.read_values(cursor, agent.slug, user_id)
    values: dict[str, SettingValue] = {}
    for field in fields:
        with suppress(UnfitError):  # the question may be another one by now
            values |= fit_settings([field], {field.field: there.get(field.field)})
    return OwnAnswers(fields=fields, values=values)


async def read_answers_in_turn(calls: Calls) -> dict[str, SettingValue]:
    """Return what who asks has answered the agent of a turn."""
    agent, user_id = calls.manifest.agent, calls.calling.principal.id
    if not fields_asked_of(agent, "user"):
        return {}
    return (await calls.calling.workspace.db.read(list_own_answers, agent, user_id)).values


async def read_own_answers(
    house: House, workspace: Workspace, slug: str, principal: Principal
) -> OwnAnswers:
    """Return what an agent asks of a person, and what that person has answered.

    Raises:
        NotFoundError: the person has no such agent.

    """
    agent = await read_available_agent(house, workspace, slug, principal)
    manifest = (await workspace.db.read(read_manifest, agent)).agent
    return await workspace.db.read(list_own_answers, manifest, principal.id)


async def keep_own_answers(
    house: House, workspace: Workspace, slug: str, order: NewAnswers, principal: Principal
) -> OwnAnswers:
    """Keep what a person answers an agent elsewhere than in a chat.

    Raises:
        NotFoundError: the person has no such agent.
        UnfitError: there is no such question, or an answer does not fit it.

    """
    agent = await read_available_agent(house, workspace, slug, principal)
    manifest = (await workspace.db.read(read_manifest, agent)).agent
    fit_settings(fields_asked_of(manifest, "user"), order.values)
    now = house.clock()
    await workspace.db.write(answers.keep_answers, slug, principal.id, order.values, now)
    return await workspace.db.read(list_own_answers, manifest, principal.id)


def label_answers(agent: AgentManifest, settings: dict[str, SettingValue]) -> dict[str, JsonValue]:
    """Return what who asks has answered, by the questions, as a model is told it."""
    return {
        field.label: settings[field.field]
        for field in fields_asked_of(agent, "user")
        if field.field in settings
    }
