"""Our words for what the records name, and the colour each is shown in.

Tones are few and mean one thing each: `bad` needs attention now, `warn` needs a look, `good` is
settled well, `info` is a plain fact, `quiet` recedes, `accent` is ours.
"""

from collections.abc import Mapping
from typing import Literal

from data.records.core.approvals import Floor
from data.records.core.briefing import SourceKind, Tier
from data.records.core.parsed_mail import AutomatedKind
from data.records.core.screening import AuthResult, Verdict
from data.records.core.understanding import Category, Priority, Sentiment
from data.records.mail.deciding import Outcome, RejectReason
from data.records.mail.planning import ActionType, Audience
from data.states import (
    BranchState,
    CaseState,
    DeliveryState,
    ForwardState,
    MessageStatus,
    StepStatus,
)

Tone = Literal["bad", "warn", "good", "info", "quiet", "accent"]

TONES: dict[str, Tone] = {
    **dict.fromkeys(
        (
            Priority.URGENT,
            Verdict.QUARANTINE,
            AuthResult.FAIL,
            DeliveryState.FAILED,
            DeliveryState.UNKNOWN,
            MessageStatus.QUARANTINED,
            Category.COMPLAINT,
        ),
        "bad",
    ),
    **dict.fromkeys(
        (
            Verdict.FLAGGED,
            Sentiment.NEGATIVE,
            CaseState.ESCALATED,
            DeliveryState.DEFERRED,
            DeliveryState.DOT_SENT,
            BranchState.WAITING_FOR_INPUT,
            StepStatus.RETRY,
            Floor.PERSON,
            Tier.EMERGENCY,
            MessageStatus.DRAFT_READY,
        ),
        "warn",
    ),
    **dict.fromkeys(
        (
            Verdict.CLEAN,
            Sentiment.POSITIVE,
            AuthResult.PASS,
            DeliveryState.SENT,
            ForwardState.DELIVERED,
            StepStatus.DONE,
            Outcome.AUTO_SEND,
            MessageStatus.APPROVED,
        ),
        "good",
    ),
    **dict.fromkeys(
        (
            Category.SUPPORT,
            Category.SALES,
            Category.BILLING,
            Category.FEATURE_REQUEST,
            DeliveryState.QUEUED,
            DeliveryState.SENDING,
            SourceKind.KNOWLEDGE,
            SourceKind.ACCOUNT,
            MessageStatus.PROCESSING,
            MessageStatus.CLASSIFIED,
        ),
        "info",
    ),
}
"""What is not named here is `quiet`."""

REASONS: dict[RejectReason, str] = {
    RejectReason.WRONG_FACT: "Wrong fact",
    RejectReason.WRONG_PROMISE: "Wrong promise",
    RejectReason.MISSED_QUESTION: "Missed a question",
    RejectReason.TONE: "Tone",
    RejectReason.TOO_LONG: "Too long",
    RejectReason.WRONG_LANGUAGE: "Wrong language",
    RejectReason.WRONG_RECIPIENT: "Wrong recipient",
    RejectReason.SHOULD_NOT_REPLY: "Should not reply",
}
"""Why a draft was not good, in the order of the keys 1 to 8."""

ACTIONS: dict[ActionType, str] = {
    ActionType.REPLY: "Reply",
    ActionType.FORWARD: "Pass on to a colleague",
    ActionType.ESCALATE: "Hand to a person",
    ActionType.CREATE_TICKET: "Create a ticket",
    ActionType.ARCHIVE: "Close without reply",
    ActionType.CREATE_CONTACT: "Create the contact",
    ActionType.TAG_THREAD: "Tag the conversation",
    ActionType.ASK_OWNER: "Ask the owner",
    ActionType.WAIT: "Wait",
}

FLOORS: dict[Floor, str] = {
    Floor.AUTOMATIC: "by itself",
    Floor.POLICY: "by policy",
    Floor.PERSON: "needs you",
}

MODES: dict[str, str] = {
    "shadow": "Shadow mode: nothing leaves by itself. Postern only notes what it would have sent, "
    "so that you can compare before you allow it.",
    "live": "Live mode: replies leave by themselves where the policy allows it and every gate "
    "agrees. Everything else waits for you.",
    "off": "Drafting is off: mail is received, screened and shown, and nothing is written.",
}
"""The policy's mode in one sentence."""

STATUSES: dict[MessageStatus, str] = {
    MessageStatus.RECEIVED: "kept safe; it is read in a moment",
    MessageStatus.SCREENING: "looked through for what is dangerous",
    MessageStatus.QUARANTINED: "stopped by the screen; you decide in the quarantine",
    MessageStatus.THREADED: "its sender may write on; then it is worked on",
    MessageStatus.PROCESSING: "its case is being understood",
    MessageStatus.CLASSIFIED: "its case is understood; a draft follows",
    MessageStatus.DRAFT_READY: "its case waits for you in the review queue",
    MessageStatus.APPROVED: "its reply waits in the outbox",
    MessageStatus.SENT: "its reply has left",
    MessageStatus.ARCHIVED: "done without a reply",
    MessageStatus.REJECTED: "a person confirmed the threat",
    MessageStatus.ESCALATED: "a named person has its case",
    MessageStatus.FAILED: "could not be worked on; you can have it worked on again",
    MessageStatus.STORED: "to be read here; it is not worked on",
}
"""Where a message is, in a few words."""

DELIVERY_STATES: dict[DeliveryState, str] = {
    DeliveryState.QUEUED: "It waits for its undo window to end.",
    DeliveryState.SENDING: "It is being given to the next server.",
    DeliveryState.DOT_SENT: "It was given to the next server, whose answer is awaited.",
    DeliveryState.SENT: "The next server has taken it.",
    DeliveryState.DEFERRED: "It was refused for now and will be tried again.",
    DeliveryState.FAILED: "It was refused for good.",
    DeliveryState.UNKNOWN: "It may or may not have left; look before deciding.",
    DeliveryState.CANCELLED: "It was taken back before it left.",
}
"""What each state of the outbox means."""
UNDECIDED = frozenset({DeliveryState.UNKNOWN, DeliveryState.FAILED})
"""States of the outbox in which a person has to decide."""
UNCLEAR = "needs_decision"
"""What the outbox is narrowed to that is in either of them."""

FORWARD_STATES: dict[ForwardState, str] = {
    ForwardState.QUEUED: "is forwarded in a moment",
    ForwardState.SENDING: "is being forwarded",
    ForwardState.DELIVERED: "has arrived at its endpoint",
    ForwardState.DEFERRED: "was not taken yet and will be tried again",
    ForwardState.FAILED: "was not taken; look at the answer, mend the cause, and try again",
    ForwardState.CANCELLED: "was given up",
}
"""What each state of a forward means."""

TECHNIQUES: dict[str, str] = {
    "blocked_sender": "a person has blocked this sender",
    "dangerous_attachment": "an attachment of a kind that can do harm when it is opened",
    "delimiter_attack": "marks that pretend to end the mail and to begin orders of ours",
    "direct_injection": "orders to the machine that reads it",
    "encoding_evasion": "words of an order in a code, in look-alike letters or in disorder",
    "exfiltration": "asks to be told what is not for outsiders",
    "instruction_smuggling": "orders to the machine, put where no person sees them",
    "leak": "an answer to it would have told what is private",
    "link_exfiltration": "a link or picture that would carry data away",
    "many_shot": "a long row of made-up questions and answers that teach the machine to obey",
    "not_screened": "it could not be screened, so it waits",
    "output_control": "dictates what the answer has to say",
    "payload_splitting": "orders cut into pieces that mean something only together",
    "payment_change": "asks for money to go to another account",
    "payment_fraud": "presses for a payment",
    "persona": "asks the machine to play somebody without rules",
    "phishing": "pretends to be somebody else, to get a password, a click or money",
    "prohibited_content": "holds what the policy forbids",
    "prompt_leak": "asks the machine for its own instructions",
    "refusal_suppression": "forbids the machine to refuse",
    "role_impersonation": "pretends to speak as the system or as one of you",
    "spam": "unwanted mail",
    "tool_instruction": "orders to use a tool of the machine",
    "unreadable": "it could not be read, so nobody knows what it says",
}
"""What each kind of attack is, in the words of somebody who does not write software."""

AUDIENCES: dict[Audience, str] = {
    Audience.NOBODY: "Reaches nobody",
    Audience.INSIDE: "Reaches somebody of the organization",
    Audience.SENDER: "Reaches only the person who wrote",
    Audience.OTHER: "Reaches somebody outside who did not write",
}
"""Whom an action reaches."""

TIERS: dict[Tier, str] = {
    Tier.NORMAL: "Nothing of the context was left out.",
    Tier.COMPACTED: "Not all of the context fitted: the oldest of it was shortened.",
    Tier.EMERGENCY: "Little of the context fitted: only the most important of it was read.",
}
"""How much of the context a draft rests on."""

LANGUAGES: dict[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
    "pl": "Polish",
}
"""Languages that an organization can write in."""

_OTHER_LANGUAGES: dict[str, str] = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "el": "Greek", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "no": "Norwegian", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""Languages that mail also comes in."""


DONE_BY = {
    "guard": "guarded",
    "classifier": "understood",
    "planner": "planned",
    "drafter": "written",
    "summarizer": "shortened",
    "extractor": "learned",
    "model-trial": "tried",
}
"""What the line's agents do; another one is shown by its slug."""


def word(name: str) -> str:
    """Return a record's own name as people read it, e.g. `feature_request` as `feature request`."""
    special = {
        "und": "unknown language",
        "not_established": "not established",
        "ics": "calendar entry",
        "vcard": "contact card",
        "tnef": "winmail.dat",
        "returned": "returned message",
        "display_none": "not displayed",
        "zero_box": "given no room",
        "zero_size": "letters of no size",
        "off_screen": "outside of the page",
        "same_color": "in the colour of what is behind it",
        "mso_hide": "hidden from a mail program",
        "aria_hidden": "hidden from those who listen",
        "folded": "folded away",
        "covered": "under something else",
        "crammed": "letters on one another",
        "masked": "dots in place of letters",
        "unchosen": "in a list to choose from",
        "form_field": "in a field of a form",
        "markup": "in the source alone",
        "data_address": "inside an address",
        "tag_characters": "characters that are not drawn",
        "variation_selectors": "characters that are not drawn",
        "dot_sent": "given to the next server",
        "escalated": "handed over",
        "leaves_later": "leaves later",
        "needs_decision": "needs your decision",
        "received": "not read yet",
        "screening": "being screened",
        "threaded": "waiting for more",
        "processing": "in work",
        "running": "in work",
        "classified": "being drafted",
        "stored": "kept",
    }
    return special.get(str(name), str(name).replace("_", " "))


def word_sentence(sentence: str) -> str:
    """Return a sentence of the engine with the names that stand raw in it as words."""
    for code, name in LANGUAGES.items():
        sentence = sentence.replace(f"Knowledge in '{code}'", f"Knowledge in {name}")
    for raw in ("not_established", *(str(kind) for kind in AutomatedKind if "_" in kind)):
        sentence = sentence.replace(raw, raw.replace("_", " "))
    return sentence


def technique(name: str) -> str:
    """Return what a kind of attack is, as a person would say it; empty when it is not known."""
    return TECHNIQUES.get(name, "")


def tone(name: str) -> Tone:
    """Return the colour that a state, category, verdict or priority is shown in."""
    return TONES.get(name, "quiet")


def language(code: str) -> str:
    """Return a language's English name, or its code."""
    return LANGUAGES.get(code) or _OTHER_LANGUAGES.get(code) or word(code)


def name_fields(sentence: str, labels: Mapping[str, str]) -> str:
    """Return a sentence of the engine in which settings are called as the fields of a form are.

    `labels` are the names of the fields, by those of the settings, which stand in quotes.
    """
    for setting, label in labels.items():
        sentence = sentence.replace(f"'{setting}'", f"the field “{label}”")
    return sentence.replace("setting the field", "the field")


def as_sentence(text: str) -> str:
    """Return words as a sentence: capital first, full stop last."""
    sentence = text.strip()
    ended = sentence.endswith((".", "!", "?", "…"))
    return sentence[:1].upper() + sentence[1:] + ("" if ended or not sentence else ".")


def percent(share: float) -> str:
    """Return a share between 0 and 1 as `87 %`, in one piece; only all and none are 100 and 0."""
    rounded = round(share * 100)
    if 0 < share < 1:
        rounded = min(max(rounded, 1), 99)
    return f"{rounded}\N{NO-BREAK SPACE}%"
