"""The quality of a draft, and who wrote it, said in words."""

from data.gate_words import ANSWERS_NOTHING
from data.records.mail.drafting import Checked, Draft
from data.records.mail.views import CaseView
from ui.core.chips import chip
from ui.core.text.words import Tone, percent

GOOD = 0.85
"""From here on a draft is shown as a good one."""
PARTS = {
    "complete": "answers the questions",
    "grounded": "rests on knowledge",
    "tone": "keeps the tone",
    "safe": "is safe",
}
NOTHING = (
    "Quality 0: no sentence of this draft answers what was asked. It only says that the mail has "
    "come, or who has it."
)
MISSED = (
    "Quality 0: what this draft tells answers nothing that was asked. Read it against the mail."
)
UNSAFE = "Quality 0: the check found something in this draft that must not leave as it is."


def quality_chip(quality: float) -> str:
    """Return the chip of a list; a draft that answers nothing is called what it is."""
    if quality < ANSWERS_NOTHING:
        return chip("no answer", "warn", "Quality 0: what this means stands with the draft")
    return chip(
        f"quality {round(quality * 100)}", _grade(quality), "Of 100; see the draft for its parts"
    )


def explain_number(checked: Checked) -> str:
    """Return what the number is made of."""
    parts = [f"{PARTS.get(name, name)} {percent(share)}" for name, share in checked.parts.items()]
    return ", ".join(parts) or "Not measured, and so 0"


def explain_quality(checked: Checked, draft: Draft) -> str:
    """Return what a quality of 0 means, or of less than whole; nothing when all is well."""
    parts = checked.parts
    if not parts:
        return "The quality of this draft is not known, and so counts as 0."
    if parts.get("safe", 1) <= 0:
        return UNSAFE
    if parts.get("complete", 1) <= 0:
        return MISSED if draft.citations else NOTHING
    if parts.get("complete", 1) < 0.95:
        return f"It answers {percent(parts['complete'])} of what was asked."
    return ""


def written_by(case: CaseView, author: str) -> str:
    """Return a chip that says whether Postern, a model or a person wrote a draft."""
    if author == "local":
        return chip(
            "written by Postern", "quiet", "From your knowledge and templates; no model wrote it"
        )
    if author in {step.provider for step in case.steps if step.stage == "draft"}:
        return chip("written by a model", "info", "A language model wrote it; look at the facts")
    return chip("edited by a person", "accent", "Its words are a person's")


def _grade(quality: float) -> Tone:
    return "good" if quality >= GOOD else "quiet" if quality >= 0.5 else "warn"
