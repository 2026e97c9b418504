"""`postern try --organization`: with what people have taught it, which is only read."""

import asyncio
import base64
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from data.records.mail.orders import Allow
from data.settings import load_settings
from data.store.core.database import Connection, Database
from data.store.mail import decisions, learning, replies
from flows.mail.people.allowing import allow_in_transaction
from tasks.core.parse.parsing import parse
from tasks.core.screen.spam_tokens import spam_tokens
from tests.core.commands.fixtures import Run
from tests.people import person

LETTER = b"""From: Wilma Reed <wilma@boats.example>\r
To: help@harbor.example\r
Subject: Great offer\r
Message-ID: <1@boats.example>\r
Date: Mon, 02 Nov 2026 08:15:00 +0000\r
\r
%s\r
"""
SPAM = LETTER % b"Casino bonus now, cheap pills, act now, winner, free money, click here, limited!"
TWO = LETTER % (
    b"The printer does not work any more, what can I do?\r\n\r\n"
    b"Also, I was charged twice on my last invoice, please refund the second payment."
)


def taught(home: Path, slug: str, work: Any) -> Path:  # noqa: ANN401  # done in a transaction
    """Write into an organization's state as an engine does; return its file."""
    path = load_settings(home=home).organizations / slug / "state.duckdb"
    database = Database(path, "organization")
    try:
        asyncio.run(database.write(work))
    finally:
        database.close()
    return path


def tried(run: Run, path: Path, *more: str) -> dict[str, Any]:
    """Return the answer to one message."""
    shown = run("try", path, "--json", *more)
    assert shown.exit_code == 0, shown.output
    answer: dict[str, Any] = json.loads(shown.stdout)
    return answer


def test_allowances_and_lessons_are_used_and_nothing_is_written(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """Without a state the defaults hold and it is said; with one its lessons do, and it stays."""
    letter = tmp_path / "a.eml"
    letter.write_bytes(SPAM)
    (home / "organizations" / organization / "state.duckdb").unlink()
    before = tried(run, letter, "--organization", organization)
    assert before["used"]["read_from"] == "nothing: the organization has no state yet"
    (rule, *_) = [hit["rule"] for hit in before["screen"]["hits"]]
    now = datetime.now(UTC)

    def work(cursor: Connection) -> None:
        allow_in_transaction(
            cursor, Allow(rule=rule, sender="wilma@boats.example"), person("ida"), now
        )
        for number in range(40):
            tokens = [number * 1000 + one for one in range(20)]
            learning.learn(cursor, f"m{number}", tokens, spam=number % 2 == 0, user="ida", now=now)

    path = taught(home, organization, work)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    after = tried(run, letter, "--organization", organization)
    assert rule not in [hit["rule"] for hit in after["screen"]["hits"]]
    assert after["used"] == {
        "organization": organization,
        "read_from": "the state file, opened for reading",
        "allowances": 1, "blocks": 0, "spam_examples": 20, "wanted_examples": 20,
        "corrections": None, "saved_replies": 0,
    }  # fmt: skip
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert not path.with_name("state.duckdb.wal").exists()
    assert "used" not in tried(run, letter)
    shown = run("try", letter, "--organization", organization)
    assert "1 allowances" in shown.stdout
    assert "opened for reading" in shown.stdout


def test_the_learned_judge_has_its_say(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """What people called spam often enough is a hit of the rule that learns."""
    from flows.tryout.world import TriedMail, neutral_world
    from tasks.core.segment.segmenting import segment
    from tasks.mail.automated.detecting import detect_automated

    raw = LETTER % b"Our sailing magazine appears again with a portrait of the harbour of Cork."
    trial = TriedMail(raw, neutral_world(datetime.now(UTC)), lambda _: ())
    mail = parse(raw)
    automated = detect_automated(mail, trial.envelope, (), frozenset(), lambda _: False)
    tokens = list(spam_tokens(mail, segment(mail), automated))
    letter = tmp_path / "a.eml"
    letter.write_bytes(raw)
    now = datetime.now(UTC)

    def work(cursor: Connection) -> None:
        for number in range(60):
            told = tokens if number % 2 == 0 else [number * 1000 + one for one in range(20)]
            learning.learn(cursor, f"m{number}", told, spam=number % 2 == 0, user="ida", now=now)

    assert "learned_spam" not in [h["rule"] for h in tried(run, letter)["screen"]["hits"]]
    taught(home, organization, work)
    found = tried(run, letter, "--organization", organization)
    assert "learned_spam" in [hit["rule"] for hit in found["screen"]["hits"]]


def test_processes_and_this_one_answer_the_same(run: Run, home: Path, organization: str) -> None:
    """Up to the classifier mail goes to processes, further on it stays here: no word differs."""
    now = datetime.now(UTC)

    def work(cursor: Connection) -> None:
        allow_in_transaction(
            cursor, Allow(rule="spam_words", sender="wilma@boats.example"), person("ida"), now
        )
        decisions.block(cursor, "nightjar.test", "domain", "ida", now)
        for number in range(40):
            tokens = [number * 1000 + one for one in range(20)]
            learning.learn(cursor, f"m{number}", tokens, spam=number % 2 == 0, user="ida", now=now)

    taught(home, organization, work)
    policy = load_settings(home=home).organizations / organization / "sources" / "policy.yaml"
    policy.parent.mkdir(parents=True, exist_ok=True)
    policy.write_text("flag_threshold: 0.2\nquarantine_threshold: 0.3\n")
    bomb = b"X-A: b\r\n" * 3000 + b"\r\nhello"
    mails = (SPAM, TWO, bomb, SPAM.replace(b"boats.example", b"nightjar.test"))
    given = b"\n".join(
        json.dumps({"id": n, "raw": base64.b64encode(raw).decode()}).encode()
        for n, raw in enumerate(mails)
    )

    def answers(until: str) -> list[dict[str, Any]]:
        wanted = ("try", "--jsonl", "--until", until, "--organization", organization)
        shown = run(*wanted, given=given)
        assert shown.exit_code == 0, shown.output
        return [json.loads(line) for line in shown.stdout.splitlines()]

    apart, here = answers("classify"), answers("route")
    keys = [set(one) for one in apart]
    assert apart == [{key: one[key] for key in of} for one, of in zip(here, keys, strict=True)]
    allowed, _, unread, stopped = apart
    assert {"id", "screen", "classification", "used"} < keys[0]
    assert "spam_words" in [hit["rule"] for hit in allowed["screen"]["excused"]]
    assert keys[2] == {"id", "error"}
    assert "blocked_sender" in [hit["rule"] for hit in stopped["screen"]["hits"]]
    assert allowed["used"]["wanted_examples"] == 20
    assert unread["id"] == 2


def test_kept_saved_replies_are_told(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """A reply that people keep in the window is a source of the draft, beside those of files."""
    letter = tmp_path / "a.eml"
    letter.write_bytes(LETTER % b"Do you sell gift vouchers?")
    now = datetime.now(UTC)
    row = {
        "id": "kept-1", "version": 1, "title": "Gift vouchers", "language": "en",
        "intent": "question", "categories": [], "body": "Gift vouchers are sold from 20 euros.",
        "created_by": "ida", "created_at": now, "changed_by": "ida", "changed_at": now,
    }  # fmt: skip
    taught(home, organization, lambda cursor: replies.add(cursor, row))
    found = tried(run, letter, "--organization", organization)
    assert found["used"]["saved_replies"] == 1
    assert "from 20 euros" in found["draft"]["body"]
    assert "reply:kept-1" in [one["ref"] for one in found["draft"]["citations"]]


def test_each_part_is_shown_beside_the_whole(run: Run, tmp_path: Path) -> None:
    """Category, plan, draft, quality and decision of each part; and one letter to both."""
    letter = tmp_path / "a.eml"
    letter.write_bytes(TWO)
    answer = tried(run, letter)
    parts = answer["classification"]["parts"]
    assert {one["category"] for one in parts} == {"support", "billing"}
    for stage, name in (("draft", "parts"), ("check", "branches"), ("route", "parts")):
        assert len(answer[stage][name]) == 2, stage
    assert len(answer["plan"]) == 2
    assert answer["draft"]["body"].count("Kind regards") <= 1
    assert all(one["outcome"] for one in answer["route"]["parts"])
    shown = " ".join(run("try", letter).stdout.split())
    assert "1. " in shown
    assert "2. " in shown
    assert "by itself: " in shown
    short = run("try", letter, "--until", "classify")
    assert short.exit_code == 0, short.output
    assert "about billing" in short.stdout


def test_the_state_of_another_version_is_left_alone(
    run: Run, home: Path, tmp_path: Path, organization: str
) -> None:
    """What cannot be read counts as nothing, and is said so."""
    letter = tmp_path / "a.eml"
    letter.write_bytes(SPAM)
    path = load_settings(home=home).organizations / organization / "state.duckdb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"not a database")
    found = tried(run, letter, "--organization", organization)
    assert found["used"]["read_from"].startswith("nothing: the state is in use, or of another")
    assert path.read_bytes() == b"not a database"
