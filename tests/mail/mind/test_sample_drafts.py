"""What the sample organization's letters say: right, in the right language, and honest."""

import asyncio
import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from connectors.spool import Spool
from data.settings import Settings, load_settings
from data.word_lists import word_list
from flows.demo.home import add_sample
from flows.opening import open_house
from flows.sync import sync_one
from flows.tryout.organization import try_for
from flows.tryout.trying import TriedMessage
from tests.core.small import Clock

CASES: list[dict[str, Any]] = word_list(Path(__file__).with_name("sample_questions.yaml"))
GREETINGS = {"en": "Hello", "de": "Guten Tag", "fr": "Bonjour", "es": "Hola"}


def letter(case: dict[str, Any]) -> bytes:
    """Return a question in its mail."""
    mail = EmailMessage()
    mail["From"] = case.get("from", "Ada Quist <ada.quist@harrier.example>")
    mail["To"] = "hello@fieldfare.example"
    mail["Subject"] = case.get("subject", "Question")
    mail["Message-ID"] = f"<{case['name']}@harrier.example>"
    mail["Date"] = "Sun, 22 Nov 2026 09:00:00 +0100"
    mail.set_content(case["text"])
    return mail.as_bytes()


async def answered(settings: Settings, slug: str) -> dict[str, dict[str, Any]]:
    """Return what `postern try` makes of every case with an organization, by name."""
    house = await open_house(settings, Clock())
    try:
        await sync_one(house, await house.get_workspace(slug))
    finally:
        await house.close()
    items = [TriedMessage(case["name"], letter(case)) for case in CASES]
    made = [json.loads(line) async for line in try_for(slug, items, "check", settings)]
    return {one["id"]: one for one in made}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return every case's answer with the sample organization; made once."""
    home = tmp_path_factory.mktemp("house") / "home"
    Spool.create(home / "spool")
    settings = load_settings(home=home, parse_processes=1, smtp_hostname="mx.fieldfare.example")
    slug = add_sample(settings)
    return asyncio.run(answered(settings, slug))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_letter_says_what_is_known_and_no_more(
    answers: dict[str, dict[str, Any]], case: dict[str, Any]
) -> None:
    """The right sentences, cited and once each, none of others; what is not known is listed."""
    found = answers[case["name"]]
    draft = found["draft"]
    body = draft["body"]
    for wanted in case.get("says", ()):
        assert wanted in body
    for wrong in case.get("never", ()):
        assert wrong not in body
    if "open" in case:
        assert len(draft["unanswered"]) == case["open"], draft["unanswered"]
    if "suggests" in case:
        assert case["suggests"] in [one["ref"] for one in draft["suggestions"]]
    assert draft["language"] == case["language"]
    greeting = case.get("greeting", GREETINGS.get(case["language"], ""))
    assert body.startswith(greeting)
    paragraphs = [part for part in body.split("\n\n") if part]
    assert len(set(paragraphs)) == len(paragraphs)
    told = [one for one in draft["citations"] if one["ref"].startswith("knowledge:")]
    assert all(one["sentence"] in body for one in told)
    assert all(one["sentence"][:1].isupper() for one in told)
    held = [one["kind"] for one in found["check"]["findings"] if one["severity"] == "block"]
    assert not held
