"""Encrypted mail over the whole line: it goes to a person, and nothing is drafted."""

import pytest

from data.records.core.organization import AutonomyRule, Mode
from data.records.core.understanding import Category
from flows.api.mail.review.case_view import case_view
from tests.core.small import ADDRESS, CUSTOMER, Line

ENCRYPTED = (
    f"From: Mara Heron <{CUSTOMER}>\r\nTo: {ADDRESS}\r\nSubject: Opening hours?\r\n"
    "Date: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <sealed@heron.example>\r\n"
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=e\r\n\r\n'
    "--e\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--e\r\n"
    "Content-Type: application/octet-stream; name=encrypted.asc\r\n\r\n"
    "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA0invented\r\n=AbCd\r\n-----END PGP MESSAGE-----\r\n"
    "--e--\r\n"
).encode()


NOTICE = (
    f"From: Mara Heron <{CUSTOMER}>\r\nTo: {ADDRESS}\r\nSubject: Opening hours?\r\n"
    "Date: Mon, 02 Mar 2026 09:59:00 +0000\r\nMessage-ID: <sealed@heron.example>\r\n"
    "Auto-Submitted: auto-generated\r\n\r\n"
    "Mara Heron has sent you a secure message.\r\n\r\nOpen message: "
    "https://mail.heron.example/s/e?m=ABC123\r\n\r\nThis message was auto-generated, do not reply."
    "\r\n"
).encode()


@pytest.mark.parametrize(
    ("raw", "why", "to_do"),
    [
        (ENCRYPTED, "encrypted with OpenPGP", "has the key"),
        (NOTICE, "waits behind a link", "open the link; else ask the sender"),
    ],
    ids=["encrypted", "a portal's notice"],
)
async def test_encrypted_mail_goes_to_a_person_without_a_draft(
    line: Line, raw: bytes, why: str, to_do: str
) -> None:
    """Though its subject asks what the knowledge answers, no reply claims to have read it."""
    rules = tuple(AutonomyRule(category=one, auto_send=True) for one in Category)
    line.workspace.policy = line.workspace.policy.model_copy(
        update={"mode": Mode.LIVE, "autonomy_rules": rules, "confidence_threshold": 0.0}
    )
    line.send("", raw=raw)
    await line.run()

    (case,) = await line.rows("SELECT id, outcome FROM cases")
    assert case["outcome"] == "escalate"
    assert await line.rows("SELECT case_id FROM drafts") == []
    assert await line.rows("SELECT id FROM deliveries") == []
    view = await case_view(line.house, line.workspace, str(case["id"]))
    reasons = [action.reason for branch in view.branches for action in branch.plan.actions]
    assert any(why in reason and to_do in reason for reason in reasons)
