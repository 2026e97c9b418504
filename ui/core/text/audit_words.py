"""Sentences of the audit log: what people did."""

from data.records.core.audit_views import AuditView
from data.records.mail.deciding import RejectReason
from ui.core.text.words import REASONS, word

ACTIONS: dict[str, str] = {
    "allow": "let a rule of the screen not count for a sender",
    "answer": "answered a question",
    "approve": "approved a reply",
    "see-fault": "saw a planted fault",
    "miss-fault": "missed a planted fault",
    "end-turn": "ended a turn",
    "take-back": "took back what an agent had changed",
    "archive": "closed a case without a reply",
    "block": "confirmed a threat and blocked its sender",
    "cancel": "took a reply back before it left",
    "choose": "put another draft in the place of the first",
    "choose-draft": "put another draft in the place of the first",
    "close-promise": "closed a promise",
    "create-saved-reply": "wrote a saved reply",
    "edit-saved-reply": "changed a saved reply",
    "retrain": "taught the classifier anew",
    "retire-saved-reply": "retired a saved reply",
    "restore-saved-reply": "let drafts use a saved reply again",
    "confirm": "confirmed a threat",
    "confirm-rule": "confirmed a handling rule",
    "disallow": "took an allowance back",
    "dismiss-group": "said that a group is none of the organization's",
    "add-organization": "made the organization",
    "edit-organization": "changed the organization's profile",
    "erase-contact": "erased the data of a contact",
    "forward-cancel": "gave a forward up",
    "forward-retry": "had a message forwarded again",
    "forward-undo": "took the giving up of a forward back",
    "propose-knowledge": "proposed knowledge through an agent",
    "undo-knowledge": "took the newest decision on learned knowledge back",
    "accept-memory": "accepted something that agents remember",
    "reject-memory": "said that something remembered does not hold",
    "delete-memory": "deleted something that agents remembered",
    "export-memory": "exported what agents remember of a person",
    "erase-memory": "erased what agents remembered of a person",
    "set-memory-policy": "changed what agents may remember",
    "write-business-profile": "wrote the business profile",
    "restore-business-profile": "let an earlier business profile count again",
    "change-settings": "changed settings of the installation",
    "restore-settings": "let earlier settings of the installation count again",
    "restore-mailbox": "let earlier settings of a mailbox count again",
    "assign-agent": "changed for whom an agent is there",
    "change-agent": "changed an agent",
    "delete-agent": "deleted an agent",
    "write-library-entry": "wrote an entry of the library for agents",
    "take-out-library-entry": "took an entry out of the library for agents",
    "write-note": "wrote a note for colleagues",
    "remove-note": "took a note away",
    "ask-for-follow-up": "said when to hear of an answered case again",
    "follow-up": "brought a case back that nobody had answered",
    "write-again": "began another letter",
    "give-back": "put a case before a person again, whose reply was to leave later",
    "install-agent": "installed an agent",
    "write-knowledge": "wrote knowledge",
    "change-knowledge": "changed knowledge",
    "restore-knowledge": "let an earlier wording of knowledge count again",
    "retire-knowledge": "retired knowledge",
    "hand-back-knowledge": "gave knowledge back to its file",
    "send-test-mail": "sent a test mail",
    "keep-mailbox": "named a mailbox, or changed one",
    "remove-mailbox": "removed a mailbox",
    "make-signing-key": "made a key that replies can be signed with",
    "set-signing": "changed how replies are signed",
    "set-route": "changed where mail goes",
    "remove-route": "removed a route of mail",
    "make-backup": "had a backup made",
    "verify-backup": "had a backup read again",
    "sync": "had the files loaded",
    "set-cap": "set a cap on what models may use",
    "remove-cap": "took away a cap on what models may use",
    "try-model": "asked a model a question to see whether it answers",
    "change-policy": "changed the policy",
    "hand-back-policy": "gave the policy back to its file",
    "switch-intent": "changed which plain questions are answered without the model",
    "approve-call": "said yes to what an agent asked",
    "refuse-call": "said no to what an agent asked",
    "add-event": "put an event into the calendar",
    "change-event": "changed an event of the calendar",
    "remove-event": "took an event out of the calendar",
    "import-calendar": "took a calendar file over",
    "activate-agent": "let those have an agent who are to have it",
    "pause-agent": "let an agent begin no turn",
    "resume-agent": "let an agent work again",
    "remove-chat": "removed a chat with all that was said in it",
    "join": "joined the parts of a message into one case",
    "pass-on": "passed a message on to a colleague",
    "part": "made a case of its own of a part",
    "propose-rule": "wrote a handling rule",
    "quarantine": "put a message into quarantine",
    "read-attachment": "had an attachment read",
    "reassign": "gave a case to somebody",
    "reject": "rejected a draft",
    "relabel": "corrected what a case is about",
    "choose-copies": "chose who gets a copy of a reply",
    "write-mail": "began a new mail",
    "attach-file": "attached a file to a letter",
    "detach-file": "took a file off a letter",
    "claim": "said that a person wrote a stored message",
    "release": "let a message out of quarantine",
    "remember": "proposed an answer as knowledge",
    "reopen": "opened a closed case again",
    "replay": "had a message worked on again",
    "resume-sending": "let mail leave again",
    "resolve-as-cancel": "gave a delivery up",
    "resolve-as-retry": "had a delivery sent again",
    "resolve-as-sent": "said that a delivery has arrived",
    "retire-rule": "retired a handling rule",
    "retry": "had a case worked on again",
    "snooze": "put a case off",
    "unsnooze": "brought a case back that was put off",
    "wake": "brought a case back that somebody had put off",
    "stop-sending": "stopped all sending",
    "ticket-closed": "closed a ticket",
    "ticket-comment": "commented on a ticket",
    "ticket-reopened": "opened a ticket again",
    "ticket-tell": "had the tracker told of a ticket again",
    "unblock": "took a block back",
    "merge-conversations": "made one conversation of two",
    "split-conversation": "split messages off a conversation",
    "add-user": "made a user",
    "edit-user": "changed a user",
    "end-user": "ended a user",
    "add-team": "made a team",
    "edit-team": "changed a team",
    "remove-team": "removed a team",
    "set-role": "made or changed a role",
    "remove-role": "removed a role",
    "add-token": "made a sign-in for somebody",
    "revoke-token": "took a sign-in back",
    "undo": "took a decision back",
    "undo-training": "took what the classifier had learned back",
    "undo-merge-of-conversations": "took a merge of conversations back",
    "undo-split-of-conversations": "took a split of a conversation back",
    "tag": "gave a conversation a tag",
    "untag": "took a tag away",
    "withdraw-question": "took a question back",
}
"""By the engine's names, as they go on after somebody's name."""

PERSON = "person:"
"""How the detail begins of what lets a mark of machines not count for a sender."""
SIGNED = ("sha256", "approval")
"""How the detail begins of what holds for one text, whose hash ends it."""

PAGES: dict[str, tuple[str, str]] = {
    "case": ("review", "case"),
    "delivery": ("outbox", "delivery"),
    "message": ("inbox", "message"),
    "thread": ("inbox", "thread"),
}
"""Where what a decision was about can be looked at, with the session's name for it."""


def tell_action(action: str) -> str:
    """Return what was done, to follow the name of who did it."""
    name = action.replace(" ", "-").replace("_", "-")
    return ACTIONS.get(name, word(action).replace("-", " "))


def tell_detail(detail: str, subject: str = "") -> str:
    """Return the detail without what only programs read, and with the reasons as words.

    What is said of an agent begins with the agent's name, which stands in `subject` alone.
    """
    if subject.startswith("agent:"):
        agent, version = subject.removeprefix("agent:"), detail.partition("+")[0]
        return f"{agent}, version {version}" if version else agent
    change_text = detail.partition(' {"')[0].partition("change 0")[0].removesuffix("; ")
    if change_text in ACTIONS:
        return f"it was: {ACTIONS[change_text]}"
    first, _, rest = change_text.partition(" ")
    if first in set(RejectReason):
        return f"{REASONS[RejectReason(first)]} {rest}".strip()
    if first == PERSON:
        mark, _, address = rest.rpartition(" ")
        return f"mail of {address} that bears “{mark}”: a person's"
    if fingerprint := rest.rpartition("sha256 ")[2] if first in SIGNED else "":
        return f"the text with the fingerprint {fingerprint[:12]}…"
    return change_text


def place(entry: AuditView) -> tuple[str, str, str] | None:
    """Return page, name in the session, and id of what an entry is about; None without a page."""
    kind, colon, id = entry.subject.partition(":")
    if not colon or kind not in PAGES or id == "all":
        return None
    page, name = PAGES[kind]
    return page, name, id
