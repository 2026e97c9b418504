"""Sensible answers of a model, one for each agent, made from the request that is being answered."""

import json
from collections.abc import Callable
from typing import Any

from tests.core.models.wire import Answer, Seen, Step

Forms = dict[str, Any]
HOURS = "The workshop is open from Monday to Friday, 09:00 to 16:30."

GUARD: Forms = {
    "is_injection": False,
    "confidence": 0.98,
    "attack_type": "none",
    "flagged_content": None,
}
CLASSIFY: Forms = {
    "category": "support",
    "priority": "normal",
    "sentiment": "neutral",
    "language": "en",
    "confidence": 0.93,
    "intents": [{"intent": "question", "category": "support", "confidence": 0.9, "sentences": [1]}],
}
PLAN: Forms = {"actions": [{"type": "reply", "reason": "The knowledge answers it."}]}
DRAFT: Forms = {
    "body": HOURS,
    "citations": [{"sentence": HOURS, "ref": "knowledge:opening-hours"}],
    "unanswered": [],
}
EXTRACT: Forms = {"slots": []}
FORMS: dict[str, Forms] = {
    "guard": GUARD,
    "classifier": CLASSIFY,
    "planner": PLAN,
    "drafter": DRAFT,
    "extractor": EXTRACT,
}


def agent_of(seen: Seen) -> str:
    """Return the slug of who is asked by a request, told by the fields of its form."""
    tool = seen.body["tools"][-1]
    schema = tool.get("input_schema") or tool["function"]["parameters"]
    fields = set(schema["properties"])
    known = {
        "is_injection": "guard",
        "intents": "classifier",
        "actions": "planner",
        "body": "drafter",
        "entries": "summarizer",
        "slots": "extractor",
    }
    return next((slug for field, slug in known.items() if field in fields), "other")


def sensible(fills: Callable[..., Step], **given: Forms) -> Step:
    """Answer for every agent sensibly; `given` answers take the place of ours by slug."""
    forms = FORMS | given

    def step(seen: Seen) -> Answer:
        return fills(forms[agent_of(seen)])(seen)

    return step


def user_turn(seen: Seen) -> dict[str, Any]:
    """Return the one JSON object of a request's user turn."""
    content = seen.body["messages"][-1]["content"]
    text = content if isinstance(content, str) else "".join(part["text"] for part in content)
    return json.loads(text)
