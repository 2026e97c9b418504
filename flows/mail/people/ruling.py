"""Handling rules: a sentence is compiled and shown, and counts once a person has confirmed it."""

from datetime import datetime

from data.errors import ConflictError
from data.ids import new_id
from data.records.core.organization import Organization
from data.records.core.principals import Principal
from data.records.core.understanding import Classification
from data.records.mail.rules import Matcher, RuleExample, RuleState, RuleView
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import rules
from data.store.mail.rules import RuleRow, TriedCaseRow
from tasks.core.words.sentences import fold
from tasks.mail.rules.matching import RuleSubject, matches
from tasks.mail.rules.rule_compiler import compile_rule
from tasks.mail.rules.wording import plain_words

RECENT, SHOWN = 300, 8
"""Recent cases that a rule is tried on, and how many of those it matches are shown."""


def propose(
    cursor: Connection,
    organization: Organization,
    sentence: str,
    principal: Principal,
    now: datetime,
) -> str:
    """Compile a sentence and keep the rule, which does nothing yet; return its id.

    Raises:
        UnclearRuleError: it is not understood, or asks for what no rule may do.

    """
    matcher = compile_rule(sentence, _addresses_by_name(cursor), _people(organization))
    identity = new_id(now)
    rules.add(
        cursor,
        {
            "id": identity,
            "version": 0,
            "state": RuleState.PROPOSED,
            "sentence": " ".join(sentence.split()),
            "matcher": matcher.model_dump_json(),
            "created_by": principal.name,
            "created_at": now,
        },
    )
    _audit(cursor, principal, "propose-rule", identity, sentence, now)
    return identity


def confirm(cursor: Connection, rule_id: str, principal: Principal, now: datetime) -> None:
    """Let a rule count.

    Raises:
        ConflictError: it counts already, or was retired.

    """
    row = rules.read_row(cursor, rule_id)
    if row.state != RuleState.PROPOSED:
        raise ConflictError(f"this rule is {row.state!r} already; look at it again")
    version = rules.read_next_version(cursor)
    rules.change_state(cursor, rule_id, RuleState.CONFIRMED, principal.name, version, now)
    detail = f"version {version}: {row.sentence} {row.matcher}"
    _audit(cursor, principal, "confirm-rule", rule_id, detail, now)


def retire(cursor: Connection, rule_id: str, principal: Principal, now: datetime) -> None:
    """Let a rule count no more; it stays on the list.

    Raises:
        ConflictError: it was retired already.

    """
    row = rules.read_row(cursor, rule_id)
    if row.state == RuleState.RETIRED:
        raise ConflictError("this rule was retired already; look at it again")
    rules.change_state(cursor, rule_id, RuleState.RETIRED, principal.name, row.version, now)
    _audit(cursor, principal, "retire-rule", rule_id, row.sentence, now)


def views(cursor: Connection, rule_id: str | None = None) -> list[RuleView]:
    """Return one rule, or all of them, each with recent cases that it would have matched."""
    rule_rows = [rules.read_row(cursor, rule_id)] if rule_id else rules.list_rows(cursor)
    recent = (
        [(row, _rule_subjects(row)) for row in rules.list_recent_cases(cursor, RECENT)]
        if rule_rows
        else []
    )
    return [_view(row, recent) for row in rule_rows]


def _view(row: RuleRow, recent: list[tuple[TriedCaseRow, list[RuleSubject]]]) -> RuleView:
    matcher = Matcher.model_validate_json(row.matcher)
    hit = [case for case, seen in recent if any(matches(matcher, subject) for subject in seen)]
    return RuleView(
        **(row._asdict() | {"matcher": matcher}),
        plain=plain_words(matcher),
        matched=len(hit),
        examples=tuple(
            RuleExample(
                case_id=case.id,
                contact_email=case.contact_email,
                subject=case.subject,
                received_at=case.received_at,
            )
            for case in hit[:SHOWN]
        ),
    )


def _rule_subjects(row: TriedCaseRow) -> list[RuleSubject]:
    """Return what a rule looks at in a case, once per intent."""
    understanding = Classification.model_validate_json(row.seen)
    words = " ".join(intent.text for intent in understanding.intents)
    return [
        RuleSubject(
            sender=row.contact_email,
            text=f"{row.subject}\n{words or row.preview}",
            language=understanding.language,
            category=intent.category,
            intent=intent.intent,
            priority=understanding.priority,
            attachments=row.attachments,
        )
        for intent in understanding.intents
    ]


def _addresses_by_name(cursor: Connection) -> dict[str, tuple[str, ...]]:
    """Return the addresses of contacts by folded name and company."""
    known_texts: dict[str, tuple[str, ...]] = {}
    for row in rules.list_contacts(cursor):
        for name in {fold(row.name).strip(), fold(row.company).strip()} - {""}:
            known_texts[name] = (*known_texts.get(name, ()), row.email.lower())
    return known_texts


def _people(organization: Organization) -> dict[str, str]:
    email_by_name = {fold(person.name): person.email.lower() for person in organization.people}
    return email_by_name | {
        person.email.lower(): person.email.lower() for person in organization.people
    }


def _audit(
    cursor: Connection, principal: Principal, action: str, rule_id: str, detail: str, now: datetime
) -> None:
    audit.append(
        cursor, actor=principal.name, action=action, subject=rule_id, detail=detail[:2000], now=now
    )
