"""Sixty questions of a working day at the demo organization, asked with no model at all."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from connectors.spool import Spool
from data.records.core.envelope import Channel
from data.word_lists import word_list
from flows.agents.lifecycle import install_catalogue
from flows.core.house import House
from flows.opening import open_house
from flows.operating.organization_folder import make_profile, read_profile
from flows.sync import sync_one
from tests.agents.conftest import Office
from tests.copies import copy_made
from tests.core.small import Clock, Line, api_over, settings_in

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("working day")]

SAMPLE = Path(__file__).parents[3] / "data" / "samples" / "fieldfare-audio"
DAY = Path(__file__).with_name("working_day.yaml")
LOOSE = Path(__file__).with_name("loose_day.yaml")
TYPED = Path(__file__).with_name("typed_day.yaml")
ORGANIZATION = make_profile(read_profile(SAMPLE))
MAILBOX = Path(__file__).with_name("mailbox_day.yaml")
HURRIED = Path(__file__).with_name("hurried_day.yaml")
NOW = datetime(2026, 12, 2, 9, 0, tzinfo=UTC)
PLAYED = (
    "001", "003", "004", "005", "006", "009", "011", "012", "017", "021", "024",
    "038", "045", "055", "058", "059", "066", "087", "108", "114", "117",
)  # fmt: skip
LATER = 600
"""Seconds after the mail came that the questions are asked."""
FLOOR, LOOSE_FLOOR, TYPED_FLOOR, HURRIED_FLOOR, MAILBOX_FLOOR = 58, 123, 76, 67, 119
REMEMBERED = (
    "I remember that",
    "I have noted that",
    "Das merke ich mir",
    "Je le retiens",
    "Lo recuerdo",
)
DECLINES = (
    "I found nothing about that", "nothing that I can look up or do", "I have no tool",
    "No contact of ours has that name", "I do not run that", "nothing was noted",
    "Nothing was put in the calendar", "I can count", "no phone number",
    "nothing that I can do without", "nicht tun", "ne peux pas faire", "no puedo hacer",
    "nichts gefunden", "weder nachsehen noch tun", "kein Werkzeug",
    "rien trouvé", "ne peux ni chercher ni faire", "pas d'outil",
    "Ich kann zählen", "No entiendo ese momento", "habe ich ohne Sprachmodell keine Antwort",
    "I have no answer without a language model",
    "No encontré nada", "no puedo buscar ni hacer", "ninguna herramienta",
    "keine Telefonnummer", "aucun numéro de téléphone", "ningún número de teléfono",
    "I do not understand that time", "Je ne comprends pas ce moment",
    "Puedo contar", "No open task of yours has these words",
)  # fmt: skip
"""What an honest refusal says, in one of these ways."""


@dataclass
class Verdict:
    """What became of one question."""

    question: dict[str, Any]
    answer: str

    @property
    def declined(self) -> bool:
        """Whether the agent said that it does not know or cannot do it."""
        return any(words in self.answer for words in DECLINES)

    @property
    def invented(self) -> bool:
        """Whether it says what is not so, or claims to know what nobody can."""
        wrong = any(words in self.answer for words in self.question.get("lacks", ()))
        return wrong or (self.question.get("declines", False) and not self.declined)

    @property
    def right(self) -> bool:
        """Whether it says what it has to, or honestly declines."""
        if self.invented:
            return False
        return self.declined or self.holds

    @property
    def holds(self) -> bool:
        """Whether it says all that it has to."""
        return all(words in self.answer for words in self.question.get("holds", ()))


@asynccontextmanager
async def _open_demo(home: Path) -> AsyncIterator[House]:
    settings = settings_in(home, smtp_hostname="mx.fieldfare.example")
    house = await open_house(settings, Clock(NOW - datetime.now(UTC)))
    try:
        yield house
    finally:
        await house.close()


async def make_demo(home: Path) -> None:
    """Make the demo organization in that folder, with a part of its played inbox worked on."""
    async with _open_demo(home) as house:
        await house.add_organization(ORGANIZATION)
        workspace = await house.get_workspace(ORGANIZATION.slug)
        await asyncio.to_thread(shutil.copytree, SAMPLE, workspace.sources, dirs_exist_ok=True)
        await sync_one(house, workspace)
        clock = house.clock
        assert isinstance(clock, Clock)
        line = Line(house, workspace, clock)
        for path in sorted((SAMPLE / "inbox").glob("*.eml")):
            if path.name[:3] in PLAYED:
                _play(house.spool, path.read_bytes())
        clock.forward(-60)
        await line.intake()
        clock.forward(300)
        await line.work()
        await install_catalogue(house, workspace)


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Office]:
    """The demo organization a few minutes after its mail came."""
    await copy_made(make_demo, tmp_path / "var")
    async with _open_demo(tmp_path / "var") as house:
        clock = house.clock
        assert isinstance(clock, Clock)
        clock.forward(LATER)
        workspace = await house.get_workspace(ORGANIZATION.slug)
        await house.reload_policy(workspace)
        yield Office(Line(house, workspace, clock), api_over(house))


def _play(spool: Spool, raw: bytes) -> None:
    sender = parseaddr(str(message_from_bytes(raw)["From"]))[1]
    crlf = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    spool.put(crlf, channel=Channel.SMTP, mail_from=sender, rcpt_to=("hello@fieldfare.example",))


async def _judged(office: Office, number: int, question: dict[str, Any]) -> Verdict:
    """Ask a question in a chat of its own, as somebody who has asked nothing before."""
    somebody = await office.sign_in(f"Asker {number}")
    chat = await somebody.begin(question["agent"])
    answer: dict[str, Any] = {}
    for words in question["says"]:
        answer = await somebody.ask(chat, words)
    return Verdict(question, str(answer["text"]).replace("\\", ""))


async def _verdicts(office: Office, questions: list[dict[str, Any]]) -> list[Verdict]:
    return [await _judged(office, number, question) for number, question in enumerate(questions)]


async def test_a_working_day_is_answered_right_or_honestly_declined(demo: Office) -> None:
    """At least fifty of the sixty, and nothing is invented in any."""
    questions = word_list(DAY)
    assert len(questions) == 60
    verdicts = await _verdicts(demo, questions)
    invented = [(v.question["says"], v.answer) for v in verdicts if v.invented]
    assert invented == []
    wrong = [(v.question["says"], v.answer) for v in verdicts if not v.right]
    assert len(questions) - len(wrong) >= FLOOR, wrong


async def test_loose_questions_are_answered_and_orders_are_no_questions(demo: Office) -> None:
    """An order that nobody carries out is declined; where an answer is due, it has to be said."""
    questions = word_list(LOOSE)
    verdicts = await _verdicts(demo, questions)
    invented = [(v.question["says"], v.answer) for v in verdicts if v.invented]
    assert invented == []
    wrong = [(v.question["says"], v.answer) for v in verdicts if not v.holds]
    assert len(questions) - len(wrong) >= LOOSE_FLOOR, wrong


@pytest.mark.timeout(300)
async def test_what_is_typed_in_a_hurry_is_never_taken_for_something_else(demo: Office) -> None:
    """Two questions in one, letters for words, wrong days: most are answered, none is wrong."""
    questions = word_list(HURRIED)
    assert len(questions) == 83
    verdicts = await _verdicts(demo, questions)
    assert [(v.question["says"], v.answer) for v in verdicts if v.invented] == []
    wrong = [(v.question["says"], v.answer) for v in verdicts if not v.right]
    assert wrong == []
    declined = [v.question["says"] for v in verdicts if not v.holds]
    assert len(questions) - len(declined) >= HURRIED_FLOOR, declined


@pytest.mark.timeout(500)  # ninety questions, on a machine that others use
async def test_what_is_typed_in_a_hurry_is_answered_or_declined(demo: Office) -> None:
    """Nothing is invented, none of it is remembered, and most of it is answered."""
    questions = word_list(TYPED)
    assert len(questions) == 90
    for question in questions:
        question["lacks"] = [*question.get("lacks", ()), *REMEMBERED]
    verdicts = await _verdicts(demo, questions)
    invented = [(v.question["says"], v.answer) for v in verdicts if v.invented]
    assert invented == []
    wrong = [(v.question["says"], v.answer) for v in verdicts if not v.right]
    assert wrong == []
    declined = [v.question["says"] for v in verdicts if not v.holds]
    assert len(questions) - len(declined) >= TYPED_FLOOR, declined


@pytest.mark.timeout(500)  # some hundred and fifty chats, on a machine that others use
async def test_who_goes_on_with_what_was_said_is_answered_or_declined(demo: Office) -> None:
    """Follow-ups, corrections, denials, orders of others: most are answered, none is wrong."""
    questions = word_list(MAILBOX)
    assert len(questions) == 154
    for question in questions:
        if question.get("holds") != ["lunes"]:  # the one that is told to be remembered
            question["lacks"] = [*question.get("lacks", ()), *REMEMBERED]
    verdicts = await _verdicts(demo, questions)
    assert [(v.question["says"], v.answer) for v in verdicts if v.invented] == []
    assert [(v.question["says"], v.answer) for v in verdicts if not v.right] == []
    declined = [v.question["says"] for v in verdicts if not v.holds]
    assert len(questions) - len(declined) >= MAILBOX_FLOOR, declined
