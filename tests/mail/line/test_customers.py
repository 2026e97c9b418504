"""What is known of a customer is told to her alone, and only where she is who writes."""

import json
from pathlib import Path

import pytest

from connectors.sources.account_files import FETCHED
from data.records.core.envelope import Channel
from data.records.mail.views import CaseView
from flows.api.mail.review.case_view import case_view
from flows.mail.thinking.planning_tools import call
from flows.sync import sync_one
from tests.core.small import ADDRESS, CUSTOMER, Line, letter
from tests.mail.line.scopes import scope_of
from tests.mail.line.sending_by_itself import FRONT, open_live, write

CONTACTS = (
    "email,name,company,plan_or_account,notes\n"
    f"{CUSTOMER},Mara Heron,Heron Weavers,Bobbin 12,haggles over every quixotic invoice\n"
    "jon@bittern.example,Jon Bittern,,Shuttle 3,\n"
)
ACCOUNTS = (
    "email,account,plan,status,renewal,balance,orders\n"
    f"{CUSTOMER},,Bobbin 24,active,2027-03-01,41.50 EUR,\n"
)


async def known(line: Line, contacts: str = CONTACTS, accounts: str = ACCOUNTS) -> None:
    """Load what the organization knows."""
    (line.workspace.sources / "contacts.csv").write_text(contacts)
    if accounts:
        (line.workspace.sources / "accounts.csv").write_text(accounts)
    await sync_one(line.house, line.workspace)


async def draft_of(line: Line, message: str) -> tuple[str, list[str]]:
    """Return the draft's body and the references that it cites."""
    view = await view_of(line, message)
    draft = view.revisions[-1].draft
    return draft.body, [one.ref for one in draft.citations]


async def view_of(line: Line, message: str) -> CaseView:
    """Return the case of a message."""
    (row,) = await line.rows("SELECT case_id FROM messages WHERE id = ?", message)
    return await case_view(line.house, line.workspace, str(row["case_id"]))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Which plan are we on, and when does it renew?", ("Bobbin 24", "2027-03-01")),
        ("What is the current balance of my account?", ("41.50 EUR",)),
        ("Welchen Tarif haben wir aktuell?", ("Bobbin 24",)),
        ("Quel est le solde de notre compte ?", ("41.50 EUR",)),
        ("Combien vous devons-nous encore ?", ("41.50 EUR",)),
        ("Welches Abo haben wir, und wann verlängert es sich?", ("Bobbin 24", "2027-03-01")),
        ("Quelle est notre formule, et quand expire-t-elle ?", ("Bobbin 24", "2027-03-01")),
        ("¿Qué plan tenemos contratado?", ("Bobbin 24",)),
        ("¿Cuánto les debemos todavía?", ("41.50 EUR",)),
        ("Is our account still active?", ("status of your account is active",)),
    ],
)
async def test_an_established_customer_is_told_hers(
    tmp_path: Path, asked: str, told: tuple[str, ...]
) -> None:
    """In her language, cited, and with nothing of her account that she did not ask for."""
    async with open_live(tmp_path / "var") as line:
        await known(line)
        message = write(line, asked, "<1@heron.example>", subject="Our account")
        await line.run()
        body, refs = await draft_of(line, message)
        assert all(one in body for one in told), body
        assert refs
        assert all(ref.startswith("account:") for ref in refs)
        assert ("41.50" in body) == ("41.50 EUR" in told)
        assert "quixotic" not in body


async def test_the_plan_of_the_contacts_file_is_told_without_accounts(tmp_path: Path) -> None:
    """A customer who asks for her plan is told what her line says."""
    async with open_live(tmp_path / "var") as line:
        await known(line, accounts="")
        message = write(line, "Which plan am I on?", "<1@heron.example>", subject="Plan")
        await line.run()
        body, _ = await draft_of(line, message)
        assert "Your plan is Bobbin 12." in body


@pytest.mark.parametrize("how", ["nobody vouches", "reply elsewhere", "somebody else"])
async def test_nobody_else_is_told_anything(tmp_path: Path, how: str) -> None:
    """Without proof of the sender, or with an answer to another address, nothing is in context."""
    async with open_live(tmp_path / "var") as line:
        await known(line)
        text = "Which plan are we on, and what is our balance?"
        if how == "nobody vouches":
            message = line.send(text, subject="Our account")
        elif how == "reply elsewhere":
            raw = letter(text, subject="Our account", headers={"Reply-To": "else@heron.example"})
            domain = CUSTOMER.rpartition("@")[2]
            passed = f"{FRONT}; dmarc=pass header.from={domain}; spf=pass smtp.mailfrom={domain}"
            message = line.house.spool.put(
                f"Authentication-Results: {passed}\r\n".encode() + raw,
                channel=Channel.SMTP,
                mail_from=CUSTOMER,
                rcpt_to=(ADDRESS,),
                peer="127.0.0.1",
            ).spool_id
        else:
            message = write(
                line, text, "<1@bittern.example>", sender="jon@bittern.example", subject="Ours"
            )
        await line.run()
        view = await view_of(line, message)
        seen = json.dumps([one.model_dump(mode="json") for one in view.snippets])
        body = view.revisions[-1].draft.body if view.revisions else ""
        assert "Bobbin" not in seen + body
        assert "quixotic" not in seen + body
        assert "41.50" not in seen + body
        assert view.customer is not None, "its own people see what is known all the same"


@pytest.mark.parametrize(
    "asked",
    [
        "What does the Bobbin plan cost?",
        "Can I change my plan to Bobbin 36?",
        "When does the season plan of my friend renew?",
        "How do I cancel my subscription?",
        "Is my plan also valid on Sundays?",
        "Can you renew our plan?",
        "Können Sie unseren Vertrag verlängern?",
        "Pouvez-vous renouveler notre formule ?",
        "¿Pueden ustedes renovar nuestro plan?",
    ],
)
async def test_other_questions_about_plans_are_not_answered_by_the_account(
    tmp_path: Path, asked: str
) -> None:
    """They ask for something that no record says, and stay open or with the knowledge."""
    async with open_live(tmp_path / "var") as line:
        await known(line)
        message = write(line, asked, "<1@heron.example>", subject="Plan")
        await line.run()
        body, refs = await draft_of(line, message)
        assert not [ref for ref in refs if ref.startswith("account:")], body


async def test_the_tool_of_planning_knows_as_much(tmp_path: Path) -> None:
    """`lookup_contact` gives plan, notes and accounts of an established sender, else none."""
    async with open_live(tmp_path / "var") as line:
        await known(line)
        sure = write(line, "When is the workshop open?", "<1@heron.example>", subject="Hours")
        await line.run()
        unsure = line.send("And on Saturdays?", subject="Saturday", sender="jon@bittern.example")
        await line.run()
        facts = []
        for message in (sure, unsure):
            (row,) = await line.rows("SELECT case_id FROM messages WHERE id = ?", message)
            scope = await scope_of(line, str(row["case_id"]))
            facts.append(await call(scope, "lookup_contact", {}))
        assert facts[0].plan == "Bobbin 12"  # type: ignore[attr-defined]
        assert facts[0].accounts[0].balance == "41.50 EUR"  # type: ignore[attr-defined]
        assert "quixotic" in facts[0].notes  # type: ignore[attr-defined]
        assert (facts[1].plan, facts[1].accounts) == ("", ())  # type: ignore[attr-defined]


async def test_records_go_with_the_file_that_held_them(line: Line) -> None:
    """A line taken out is forgotten at the next load, and a broken file changes nothing."""
    await known(line)
    count = "SELECT count(*) AS n FROM accounts"
    assert (await line.rows(count)) == [{"n": 1}]
    (line.workspace.sources / "accounts.csv").write_text(ACCOUNTS.replace("2027-03-01", "soon"))
    await sync_one(line.house, line.workspace)
    assert (await line.rows(count)) == [{"n": 1}]
    (line.workspace.sources / "accounts.csv").write_text(ACCOUNTS.splitlines()[0] + "\n")
    await sync_one(line.house, line.workspace)
    assert (await line.rows(count)) == [{"n": 0}]
    assert not (line.workspace.sources / FETCHED).exists()
