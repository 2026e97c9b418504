"""The first steps of an organization, judged by its state; and a test mail on its way."""

import asyncio
from email.message import EmailMessage
from email.utils import format_datetime

from data.counting import plural
from data.errors import NotFoundError
from data.ids import new_id
from data.mailbox_files import load_mailboxes
from data.records.core.envelope import Channel
from data.records.core.organization import Mode
from data.records.core.principals import Principal
from data.records.mail.setting_up import Setup, SetupStep, StepName, TrialMail, TrialOrder
from data.settings import Settings
from data.store.core import audit, policies, users
from data.store.core.database import Connection
from data.store.mail.trials import Reached, count_reached, find_progress
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.all_knowledge import known_ids


async def setup_of(house: House, workspace: Workspace) -> Setup:
    """Return the first steps, each done or not by what is there."""

    def work(cursor: Connection) -> tuple[int, bool, Reached]:
        version = policies.read_newest(cursor)
        decided = version is not None and bool(version.text.strip())
        return len(known_ids(cursor)), decided, count_reached(cursor)

    entries, decided, reached = await workspace.db.read(work)
    users_known = await house.control.read(users.list_users)
    here = [
        user
        for user in users_known
        if user.ended_at is None
        and any(grant.organization == workspace.slug for grant in user.grants)
    ]
    boxes = await asyncio.to_thread(load_mailboxes, workspace.folder)
    settings = house.settings
    return Setup(
        steps=(
            _address(workspace),
            _people(workspace, len(here)),
            _voice(workspace),
            _knowledge(entries),
            _policy(workspace, decided),
            _trial(reached.drafted),
            _mail(reached.received, len(boxes)),
            _build_leaving_step(settings),
        ),
        hostname=settings.smtp_hostname,
        port=settings.smtp_port,
    )


def _address(workspace: Workspace) -> SetupStep:
    own = workspace.organization
    sentence = f"{own.name} answers for {', '.join(own.addresses)}."
    return SetupStep(name=StepName.ADDRESS, done=bool(own.addresses), sentence=sentence)


def _people(workspace: Workspace, users_here: int) -> SetupStep:
    count = len(workspace.organization.people)
    if not count and not users_here:
        sentence = "Nobody can be given a case yet, and only an administrator signs in."
        return SetupStep(name=StepName.PEOPLE, done=False, sentence=sentence)
    people_text = f"{plural(count, 'person', 'people')} can be given a case"
    signing = f"{plural(users_here, 'person', 'people')} signed up for this organization"
    return SetupStep(name=StepName.PEOPLE, done=True, sentence=f"{people_text}, {signing}.")


def _voice(workspace: Workspace) -> SetupStep:
    own, policy = workspace.organization, workspace.policy
    signed = bool(own.signature.strip() or policy.signature)
    if signed and own.tone.strip():
        return SetupStep(name=StepName.VOICE, done=True, sentence=f"Tone: {own.tone.strip()}")
    missing = [
        name
        for name, there in (("a signature", signed), ("a tone", bool(own.tone.strip())))
        if not there
    ]
    sentence = (
        f"Replies have no {' and no '.join(step.removeprefix('a ') for step in missing)} yet."
    )
    return SetupStep(name=StepName.VOICE, done=False, sentence=sentence)


def _knowledge(entries: int) -> SetupStep:
    sentence = "There is no knowledge yet: a draft can only say that the mail has come."
    if entries:
        sentence = f"{plural(entries, 'entry', 'entries')} of knowledge."
    return SetupStep(name=StepName.KNOWLEDGE, done=bool(entries), sentence=sentence)


_MODES = {
    Mode.OFF: "nothing is drafted",
    Mode.SHADOW: "everything is drafted, and a person sends",
    Mode.LIVE: "what the policy allows leaves by itself, and a person sends the rest",
}


def _policy(workspace: Workspace, decided: bool) -> SetupStep:
    sentence = "Nobody has decided yet: everything is drafted, and a person sends."
    if decided:
        sentence = f"Somebody has decided: {_MODES[workspace.policy.mode]}."
    return SetupStep(name=StepName.POLICY, done=decided, sentence=sentence)


def _trial(drafted: int) -> SetupStep:
    sentence = "No message has come as far as a draft yet."
    if drafted:
        sentence = f"{plural(drafted, 'case has', 'cases have')} a draft."
    return SetupStep(name=StepName.TRIAL, done=bool(drafted), sentence=sentence)


def _mail(mails: int, boxes: int) -> SetupStep:
    if mails:
        sentence = f"{plural(mails, 'message has', 'messages have')} come in from outside."
        return SetupStep(name=StepName.MAIL, done=True, sentence=sentence)
    fetched = f" {plural(boxes, 'mailbox', 'mailboxes')} to fetch from." if boxes else ""
    sentence = f"No message has come in from outside yet.{fetched}"
    return SetupStep(name=StepName.MAIL, done=False, sentence=sentence)


def _build_leaving_step(settings: Settings) -> SetupStep:
    decided = "transport" in settings.model_fields_set
    sentence = "Approved replies are kept as files on this machine, and reach nobody."
    if settings.transport == "smtp":
        sentence = f"Approved replies leave over {settings.relay_host}:{settings.relay_port}."
    elif decided:
        sentence += " Somebody has decided so."
    return SetupStep(name=StepName.LEAVING, done=decided, sentence=sentence)


async def hand_in(
    house: House, workspace: Workspace, order: TrialOrder, principal: Principal
) -> TrialMail:
    """Hand in a test mail to the organization's first address, as if it had come from outside.

    It goes the way of all mail but for the door: that mail arrives from outside it does not show.
    """
    own = workspace.organization.addresses[0]
    message = EmailMessage()
    message["From"] = f"Test <{order.sender}>"
    message["To"] = own
    message["Subject"] = " ".join(order.subject.split())
    message["Date"] = format_datetime(house.clock())
    message["Message-ID"] = f"<{new_id(house.clock()).lower()}@test.invalid>"
    message.set_content(order.text)
    raw = message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    envelope = await asyncio.to_thread(
        house.spool.put,
        raw,
        channel=Channel.INGEST,
        mail_from=order.sender,
        rcpt_to=(own,),
    )
    await workspace.db.write(
        audit.append,
        actor=principal.name,
        action="send-test-mail",
        subject=f"message:{envelope.spool_id}",
        detail=order.subject,
        now=house.clock(),
    )
    return TrialMail(id=envelope.spool_id, status="accepted")


async def follow(house: House, workspace: Workspace, id: str) -> TrialMail:
    """Return how far a test mail has come.

    Raises:
        NotFoundError: no message of that id waits or was taken in.

    """
    row = await workspace.db.read(find_progress, id)
    if row is None:
        waiting = await asyncio.to_thread(house.spool.list_waiting, 1000)
        if not any(entry.spool_id == id for entry in waiting):
            raise NotFoundError(f"there is no message {id!r}")
        return TrialMail(id=id, status="accepted")
    return TrialMail(
        id=id,
        status=row.status,
        case_id=row.case_id or "",
        state=row.state or "",
        drafted=row.drafted,
        note=row.note,
    )
