"""The reading of a case's messages as one, which flags what says nothing in its pieces.

Each message was screened by itself when it came. An order to a machine may be cut into pieces that
say nothing each, and be sent in one burst, or into a case that waits.
"""

from collections.abc import Mapping, Sequence

from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import Automated, ParsedMail, Segments
from data.records.core.screening import Screening, Verdict
from data.store.mail import messages
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.mail.line.case_texts import list_readings
from flows.mail.line.mailroom import mailroom_of
from flows.mail.line.screen_knowledge import read_common_knowledge
from tasks.core.screen import order_in
from tasks.mail.case_text import said_in
from tasks.mail.read import Reading
from tasks.mail.screen.screen_messages import ToScreen, screen_messages


async def read_together(
    batch: Batch, case_by_id: Mapping[str, CaseRow]
) -> dict[str, tuple[Screening]]:
    """Return for cases of several messages what flags them as one, where something does.

    Only orders to a machine count, for what else is screened for stands in one message or in none;
    and they flag and never stop, for what is to be stopped was stopped before it was in a case.
    """
    several = {case: row for case, row in case_by_id.items() if len(row.message_ids) > 1}
    if not several:
        return {}
    last = {case: row.message_ids[-1] for case, row in several.items()}
    rows = await batch.workspace.db.read(messages.read_messages, list(last.values()))
    common_knowledge = await read_common_knowledge(batch.workspace)
    readings = await list_readings(batch, several)
    ground = batch.workspace.policy, mailroom_of(batch.house).judge is not None
    matters = {
        case: ToScreen(
            reading=_join_readings(readings[case]),
            envelope=Envelope.model_validate_json(rows[item].envelope),
            automated=Automated(),
            known=common_knowledge,
            released=False,
        )
        for case, item in last.items()
    }
    # Planning and routing both ask; what a person has changed in between is looked at again.
    screenings: dict[str, Screening] = {
        case: screening
        for case, matter in matters.items()
        if (screening := batch.find_computed("together", case, (ground, matter))) is not None
    }
    fresh = [case for case in matters if case not in screenings]
    screened = await batch.house.work.compute_each(
        screen_messages, ground, [matters[case] for case in fresh]
    )
    for case, screening in zip(fresh, screened, strict=True):
        batch.keep_computed("together", case, (ground, matters[case]), screening)
        screenings[case] = screening
    return {
        case: (screening.model_copy(update={"verdict": Verdict.FLAGGED, "together": True}),)
        for case, screening in screenings.items()
        if screening.verdict is not Verdict.CLEAN and order_in(screening) is not None
    }


def _join_readings(readings: Sequence[Reading]) -> Reading:
    """Return the messages as one that says what is new in each, where a sentence may go on."""
    text = "\n".join(said_in(reading).strip() for reading in readings)
    last = readings[-1].mail if readings else ParsedMail()
    mail = ParsedMail(subject=last.subject, sender=last.sender, senders=last.senders, text=text)
    return Reading(mail=mail, segments=Segments(new=text))
