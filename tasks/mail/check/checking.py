"""The check of a draft: claims, links, secrets, tone, completeness; no model.

Every sentence is either one that the operator wrote, or it must rest on a source that it cites:
its numbers, dates, names and promises are found there, its words mostly, and nothing is denied that
the source affirms. Whatever a model cites is looked up here; what it says about itself is not
believed. First version: words are compared, not meanings, so a free paraphrase is held.
"""

from collections.abc import Sequence
from math import prod

from data.records.core.briefing import Briefing
from data.records.core.citations import Suggestion
from data.records.core.knowledge import SavedReply
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Intent
from data.records.mail.drafting import Checked, Draft, Finding, Severity
from data.records.mail.planning import Plan
from tasks.core.claims.claims import claims, has_negation
from tasks.core.claims.holding import holds
from tasks.core.leaks.canary import echoes
from tasks.core.leaks.links import find_addresses, find_links, is_allowed
from tasks.core.leaks.secrets import find_secrets
from tasks.core.words.questions import READ
from tasks.core.words.sentences import sentences, squeeze, terms
from tasks.mail.check.accounted_findings import grounded_in, left_open, names_another, not_done
from tasks.mail.check.accounting import account, list_handed
from tasks.mail.check.finding import CANARY, make_finding
from tasks.mail.check.finding_spans import Places
from tasks.mail.check.language import is_in_another_language
from tasks.mail.check.model_marks import model_marks
from tasks.mail.check.own_words import has_own_words
from tasks.mail.check.pairings import misplaced_figure
from tasks.mail.check.sources import (
    Sources,
    contacts_of,
    find_contradicted,
    squeezed_sentences,
)
from tasks.mail.check.tone import tone_of
from tasks.mail.check.turned_words import turned_word
from tasks.mail.draft.names import letter_names

_COVERAGE = 0.6
"""Share of a sentence's terms that its sources must hold."""
_LONGEST_DRAFT = 20_000
"""Characters; no letter is longer, and checking takes time for every sentence."""

_INFO, _HOLD, _BLOCK = Severity.INFO, Severity.HOLD, Severity.BLOCK
_NOTHING = {"complete": 0.0, "grounded": 0.0, "tone": 0.0, "safe": 0.0}
_UNSAFE = frozenset(
    {
        "unlisted_link",
        "foreign_address",
        "copied_from_sender",
        "unsupported_commitment",
        "account_number",
        "one_time_code",
        "identity_number",
        "long_number",
        "model_marks",
    }
)
"""Checks whose finding makes a draft unsafe, beyond being incomplete or ungrounded."""


def check(
    draft: Draft,
    briefing: Briefing,
    *,
    new_text: str,
    organization: Organization,
    policy: Policy,
    sender: Address,
    saved_replies: Sequence[SavedReply] = (),
    intents: Sequence[Intent] = (),
    plans: Sequence[Plan] = (),
    judged: Sequence[Intent] = (),
    canary: str = "",
    whole_text: str = "",
    subject: str = "",
    kept_subject: str = "",
) -> Checked:
    """Return the findings in a draft and its quality: complete × grounded × tone × safe.

    `new_text` is what the sender wrote now. Pass the `saved_replies` that the draft could use, and
    the `plans` of the `intents`, one each, else sentences that rest on them count as unsupported
    and open; `judged` is what was understood without a model, where a model understood. No draft
    may hold the organization's `canary`. `whole_text` is all that the sender wrote, where
    `new_text` is a part of it: no words of either are repeated. A `subject` that wants something
    by itself is accounted for as well. The number of an order in the `kept_subject`, which the
    sender wrote and every reply repeats, is nothing that we tell.
    """
    if echoes(f"{draft.subject}\n{draft.body}", canary):
        why = "This repeats a mark of private context; a model may have been led astray."
        return Checked(findings=(make_finding(CANARY, _BLOCK, "", why),), parts=_NOTHING)
    if not draft.body.strip():
        return Checked(
            findings=(make_finding("empty_draft", _HOLD, "", "The draft says nothing."),),
            parts=_NOTHING,
        )
    if len(draft.body) > _LONGEST_DRAFT or len(new_text) > READ:
        why = "The draft or the message is too long to be checked here."
        return Checked(
            findings=(make_finding("too_long", _HOLD, draft.body, why),),
            parts=_NOTHING,
        )
    sources = Sources(draft, briefing, organization, policy, sender, saved_replies)
    draft_sentences = sentences(draft.body)
    factual = [
        sentence for sentence in draft_sentences if squeeze(sentence) not in sources.templates
    ]
    places = Places(draft.body)
    findings_by_sentence = {
        sentence: _placed(_ungrounded(sentence, sources), places, sentence) for sentence in factual
    }
    tally = account(
        new_text,
        draft,
        grounded_in(draft, draft_sentences, sources, findings_by_sentence),
        list_handed(intents, plans, judged),
        letter_names(organization, sender),
        subject,
    )
    left, complete = left_open(draft, tally)
    tone_faults = tone_of(factual, draft.language, policy.formality)
    findings = [
        *(finding for sentence in factual for finding in findings_by_sentence[sentence]),
        *_placed(
            [
                *_check_outside_parts(
                    draft, sources, organization, policy, whole_text or new_text, factual
                ),
                *_secrets(draft, sources, kept_subject),
                *(
                    make_finding(fault.check, _HOLD, fault.excerpt, fault.why)
                    for fault in tone_faults
                ),
            ],
            places,
        ),
        *left,
        *not_done(draft_sentences, draft.language, plans),
        *names_another(draft_sentences, plans, organization),
        *(_list_other_language_answers(suggestion) for suggestion in draft.suggestions),
    ]
    if is_in_another_language(" ".join(factual), draft.language):
        why = f"The text does not look like the language {draft.language!r} that it should be in."
        findings.append(make_finding("language_mismatch", _HOLD, " ".join(factual), why))
    grounded = (
        sum(not sentence_findings for sentence_findings in findings_by_sentence.values())
        / len(findings_by_sentence)
        if findings_by_sentence
        else 1.0
    )
    tone = min((fault.cost for fault in tone_faults), default=1.0)
    parts = {"complete": complete, "grounded": grounded, "tone": tone, "safe": _safety(findings)}
    return Checked(
        findings=tuple(findings),
        quality=round(prod(parts.values()), 4),
        parts={name: round(value, 4) for name, value in parts.items()},
        accounts=tally.accounts,
    )


def _placed(findings: Sequence[Finding], places: Places, within: str = "") -> list[Finding]:
    """Return findings with the place of their words in the draft's body."""
    placed = []
    for finding in findings:
        start, end = places.find(finding.excerpt, within)
        placed.append(finding.model_copy(update={"start": start, "end": end}))
    return placed


def _list_other_language_answers(suggestion: Suggestion) -> Finding:
    """Return what knowledge in another language may answer, which no letter tells by itself."""
    source = f"Knowledge in {suggestion.language!r}"
    why = f"{source} may answer this; translate it if so: {suggestion.sentence}"
    return make_finding("known_in_another_language", _INFO, suggestion.question, why)


def _ungrounded(sentence: str, sources: Sources) -> list[Finding]:
    """Return what in a sentence does not rest on the sources that it cites."""
    findings: list[Finding] = find_contradicted(sentence, sources.cited(sentence))
    if sources.leaks_internal(sentence):
        why = "This repeats internal knowledge, which no reply may tell."
        findings.append(make_finding("internal_text", _BLOCK, sentence, why))
    snippets = sources.cited(sentence)
    if not snippets:
        why = "No trusted source is cited for this sentence."
        return [
            *findings,
            make_finding("uncited_sentence", _HOLD, sentence, why),
            *_list_bare_claims(sentence, sources),
        ]
    text = "\n".join(f"{snippet.title}\n{snippet.text}" for snippet in snippets)
    if squeeze(sentence) in squeezed_sentences(text):
        return findings
    if squeeze(sentence) not in squeeze(text):
        findings += _worded_anew(sentence, text, sources)
    said_terms = set(terms(sentence))
    nearest = max(sentences(text), key=lambda part: len(said_terms & set(terms(part))), default="")
    if has_negation(sentence) != has_negation(nearest):
        why = "This denies what the source affirms, or the other way round."
        findings.append(make_finding("changed_meaning", _HOLD, sentence, why))
    if turned := turned_word(sentence, nearest, sources.language):
        why = f"The source says this otherwise: look at {turned!r}."
        findings.append(make_finding("changed_meaning", _HOLD, sentence, why))
    if figure := misplaced_figure(sentence, text):
        why = "The source says this number of something else."
        findings.append(make_finding("misplaced_figure", _HOLD, figure, why))
    if limit := sources.dropped_limit(sentence, nearest):
        why = f"The source says this under a limit that is left out here: {limit!r}."
        findings.append(make_finding("dropped_limit", _HOLD, sentence, why))
    return findings


def _worded_anew(sentence: str, text: str, sources: Sources) -> list[Finding]:
    """Return what a sentence in words of its own states that the text cited for it does not."""
    findings = _unsupported(sentence, f"{text}\n{sources.house}")
    ordered = terms(sentence)
    said_terms, known_terms = set(ordered), set(terms(text)) | set(terms(sources.house))
    few = said_terms and len(said_terms & known_terms) / len(said_terms) < _COVERAGE
    if few or has_own_words(ordered, known_terms):
        why = "The cited source does not say this."
        findings.append(make_finding("unsupported_sentence", _HOLD, sentence, why))
    return findings


def _list_bare_claims(sentence: str, sources: Sources) -> list[Finding]:
    """Return the claims of a sentence without a source, so that each is underlined."""
    return _unsupported(sentence, sources.house)


def _unsupported(sentence: str, text: str) -> list[Finding]:
    """Return the claims of a sentence that `text` does not hold."""
    findings: list[Finding] = []
    for claim in claims(sentence):
        if not holds(text, claim, sentence):
            why = f"No cited source holds this {claim.kind.replace('_', ' ')}."
            findings.append(make_finding(f"unsupported_{claim.kind}", _HOLD, claim.excerpt, why))
    return findings


def _check_outside_parts(
    draft: Draft,
    sources: Sources,
    organization: Organization,
    policy: Policy,
    new_text: str,
    factual: Sequence[str],
) -> list[Finding]:
    """Return links, addresses and the sender's own words, wherever they stand in the draft."""
    findings: list[Finding] = []
    whole = f"{draft.subject}\n{draft.body}"
    contacts = contacts_of(sources.fixed)
    for link in find_links(whole):
        if not is_allowed(link, policy.allowed_links) and link.text not in contacts:
            why = "The policy's list of allowed links does not hold this."
            findings.append(make_finding("unlisted_link", _HOLD, link.text, why))
    ours = {address.lower() for address in organization.own_addresses}
    for address in find_addresses(whole):
        if address not in ours and address not in contacts:
            why = "This is no address of the organization."
            findings.append(make_finding("foreign_address", _HOLD, address, why))
    for mark in model_marks(whole):
        why = "This is a mark of a model's conversation, and none of a letter."
        findings.append(make_finding("model_marks", _HOLD, mark, why))
    for sentence in factual:
        if sources.repeats(sentence, new_text):
            why = "This repeats the sender's own words."
            findings.append(make_finding("copied_from_sender", _HOLD, sentence, why))
    return findings


def _secrets(draft: Draft, sources: Sources, kept_subject: str) -> list[Finding]:
    """Return what looks secret; a number that we publish ourselves is held, not blocked.

    Cards, accounts, codes and keys are found in a kept subject too: those are not sent back.
    """
    secrets = [
        secret
        for secret in find_secrets(f"{draft.subject}\n{draft.body}")
        if secret.check != "long_number"
        or secret.excerpt not in kept_subject
        or secret.excerpt in draft.body
    ]
    public = squeeze(sources.public) if secrets else ""
    findings: list[Finding] = []
    for secret in secrets:
        published = squeeze(secret.excerpt) in public and secret.check != "secret"
        if published and secret.excerpt in sources.operator:
            continue
        severity = _HOLD if published else _BLOCK
        why = f"This looks like a {secret.check.replace('_', ' ')}."
        findings.append(make_finding(secret.check, severity, secret.excerpt, why))
    return findings


def _safety(findings: Sequence[Finding]) -> float:
    """Return 0 with anything blocked, 0.5 with anything unsafe, else 1."""
    if any(finding.severity is _BLOCK for finding in findings):
        return 0.0
    return 0.5 if any(finding.check in _UNSAFE for finding in findings) else 1.0
