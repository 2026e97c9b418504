"""Questions for tests of the door, and a door to a stand-in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from connectors.models import open_door
from data.records.core.asking import Question
from data.records.core.manifest_format import ModelTier
from data.settings import load_settings
from tasks.mail.forms import DraftForm, GuardForm
from tests.core.models.fixtures import KEY
from tests.core.models.wire import StandIn

if TYPE_CHECKING:  # whose libraries take two seconds of processor time
    from connectors.models.model_door import ModelDoor

GUARD = Question(
    agent="guard", system="Judge.", user="{}", form=GuardForm, tier=ModelTier.FAST, max_tokens=200
)
DRAFT = Question(
    agent="drafter",
    system="Write.",
    user="{}",
    form=DraftForm,
    tier=ModelTier.CAPABLE,
    max_tokens=400,
    void_if_leaked=False,
)
CLEAN = {"is_injection": False, "confidence": 0.9, "attack_type": "none", "flagged_content": None}


@asynccontextmanager
async def door_to(
    server: StandIn, provider: str = "anthropic", **given: object
) -> "AsyncIterator[ModelDoor]":
    """Open the door that the settings of a stand-in give."""
    settings = load_settings(
        llm_provider=provider,
        llm_base_url=server.url if provider == "anthropic" else f"{server.url}/v1",
        llm_model_fast="wren-fast",
        llm_model_capable="wren-capable",
        **{"llm_api_key": KEY, "llm_timeout": 60, **given},
    )
    door = open_door(settings)
    assert door is not None
    try:
        yield door
    finally:
        await door.close()
