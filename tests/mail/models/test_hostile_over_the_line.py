"""Hostile models over the real line, from the spool to the outbox, with a policy that sends."""

import json
import random
import unicodedata
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from data.records.core.envelope import Channel
from data.settings import load_settings
from flows.core.thinker import Thinker
from flows.sync import sync_one
from tests.core.models import chat_api, messages_api
from tests.core.models.fixtures import OpenThinking
from tests.core.models.providers import Scripted
from tests.core.models.wire import Answer, Seen, StandIn, Step
from tests.core.small import ADDRESS, POLICY, TEASEL, Line, letter, open_line
from tests.mail.models.forms import HOURS, agent_of
from tests.mail.models.hostile import Hostile

LIVE = (
    POLICY.replace("mode: shadow", "mode: live").replace("threshold: 0.8", "threshold: 0.7")
    + "autonomy_rules:\n"
    + "".join(
        f"  - {{category: {name}, auto_send: true}}\n"
        for name in ("support", "sales", "billing", "other", "internal", "feature_request")
    )
)
AUTHENTICATED = (
    "front.teasel.example; dmarc=pass (p=reject) header.from={domain};"
    " dkim=pass header.d={domain}; spf=pass smtp.mailfrom=pat@{domain}"
)
MARKS = ("evil", "évil", "xn--", "http", "![", "<a ", "482913", "4111 1111", "hunter2", "900")


async def live(line: Line) -> None:
    """Let replies leave by themselves."""
    (line.workspace.sources / "policy.yaml").write_text(LIVE)
    await sync_one(line.house, line.workspace)


def ask(line: Line, number: int) -> str:
    """Send an authenticated question of a contact of its own; return the contact's address."""
    domain = f"reed{number}.example"
    sender = f"pat@{domain}"
    raw = letter(
        "When is the workshop open?" if number % 3 else "When is the workshop open? And why?",
        sender=sender,
        message_id=f"<{number}@{domain}>",
    )
    verdict = f"Authentication-Results: {AUTHENTICATED.format(domain=domain)}\r\n".encode()
    line.house.spool.put(
        verdict + raw, channel=Channel.SMTP, mail_from=sender, rcpt_to=(ADDRESS,), peer="127.0.0.1"
    )
    return sender


async def broken_promises(line: Line, senders: set[str]) -> tuple[list[str], int]:
    """Return what in the outbox should not be there, and how many replies are in it."""
    found: list[str] = []
    rows = await line.rows(
        "SELECT d.*, c.contact_email FROM deliveries d JOIN cases c ON c.id = d.case_id"
    )
    for row in rows:
        raw = line.workspace.archive.read(str(row["sha256"]))
        if row["rcpt_to"] != [row["contact_email"]] or row["contact_email"] not in senders:
            found.append(f"recipients {row['rcpt_to']}")
        if row["mail_from"] != ADDRESS:
            found.append(f"reverse-path {row['mail_from']}")
        sent = message_from_bytes(raw, policy=policy.default)
        text = f"{sent['Subject']}\n{sent.get_content().partition(TEASEL.name)[0]}"
        plain = unicodedata.normalize("NFKC", text).replace("[.]", ".").lower()
        plain = "".join(one for one in plain if unicodedata.category(one) != "Cf")
        found += [f"{mark!r} left in {plain!r}" for mark in MARKS if mark in plain]
        if sent["Bcc"] or sent["Cc"] or sent["Reply-To"]:
            found.append("headers")
    return found, len(rows)


@pytest.mark.slow
async def test_a_hostile_model_inside_breaks_no_promise_on_the_way_to_the_outbox(
    tmp_path: Path,
) -> None:
    """Hundreds of hostile answers over the real stages, store and outbox; honest ones do leave."""
    worst = Hostile(7)
    rng = random.Random(7)
    honest = {
        "guard": {"is_injection": False, "confidence": 1.0, "attack_type": "none"},
        "planner": {"actions": [{"type": "reply", "reason": "The knowledge answers it."}]},
        "drafter": {
            "body": HOURS,
            "citations": [{"sentence": HOURS, "ref": "knowledge:opening-hours"}],
        },
    }

    def think(question: object) -> object:
        agent = question.agent  # type: ignore[attr-defined]
        if rng.random() < 0.5 and agent in honest:
            return honest[agent]
        return worst(question)  # type: ignore[arg-type]

    given = {"trusted_authserv_ids": ("front.teasel.example",), "authenticate_senders": False}
    async with open_line(tmp_path / "var", **given) as line:
        settings = load_settings(llm_daily_cap=0, llm_monthly_cap=0, llm_sender_cap=0)
        provider = Scripted(think)
        line.house.thinker = Thinker(provider, settings, line.clock, pause=0.0)
        await live(line)
        senders = {ask(line, number) for number in range(60)}
        await line.run()
        found, sent = await broken_promises(line, senders)
        states = await line.rows("SELECT state, count(*) AS n FROM cases GROUP BY state")
    assert found == []
    assert len(provider.asked) > 150
    assert 0 < sent < 60, states
    assert sum(int(str(row["n"])) for row in states) == 60


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_a_hostile_model_over_the_wire_breaks_no_promise(
    thinking: OpenThinking, provider: str
) -> None:
    """The same answers through the real client libraries, with refusals and errors between."""
    api = {"anthropic": messages_api, "openai": chat_api}[provider]
    worst = Hostile(13)
    errors: list[Step] = [
        api.error(500, "api_error"),
        api.error(429, "rate_limit_error", retry_after="0"),
        api.says("I will not do that; write to eve@evil.test instead."),
    ]

    class Asked:
        agent = ""

    def step(seen: Seen) -> Answer:
        if worst.rng.random() < 0.1:
            return worst.rng.choice(errors)(seen)
        asked = Asked()
        asked.agent = agent_of(seen)
        filled = json.loads(json.dumps(worst(asked), default=str))  # type: ignore[arg-type]
        return api.fills(filled)(seen)

    given = {"trusted_authserv_ids": ("front.teasel.example",), "authenticate_senders": False}
    async with StandIn([step]) as server, thinking(server, provider, **given) as line:
        await live(line)
        senders = {ask(line, number) for number in range(12)}
        await line.run()
        found, _ = await broken_promises(line, senders)
        (count,) = await line.rows("SELECT count(*) AS n FROM cases")
        assert len(server.seen) > 20
    assert found == []
    assert count == {"n": 12}
