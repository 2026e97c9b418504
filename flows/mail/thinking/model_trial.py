"""One short question to a model, to see that it answers, how fast, and for how much."""

import asyncio
import time

from data.errors import SettingsError
from data.records.core.asking import REMEDIES, Charge, Fault, ModelFaultError, Question
from data.records.core.kept_settings import SettingsChange
from data.records.core.manifest_format import ModelTier
from data.records.core.model_views import TriedModel
from data.records.core.principals import Principal
from data.store.core import audit, usage
from data.store.core import teams as team_store
from flows.core.house import House, open_thinker
from flows.core.kept_settings import build_changed_settings
from flows.core.model_setup import check_choice
from flows.core.thinker import Thinker
from flows.core.workspace import Workspace
from flows.mail.thinking.asking import explain_fault
from tasks.mail.forms import TrialForm

AGENT = "model-trial"
"""Under which name the books count it."""
QUESTION = "Which planet of our solar system is the largest?"
SYSTEM = "Answer the question in one short sentence."
MOST_TOKENS = 300
SECONDS = 18.0
"""How long an answer is waited for; a window waits a little longer for ours."""
ALONE = "Postern thinks by itself here; no language model is asked."
ADD_ONE = (
    "Choose a provider on the page Models or by `postern model-setup`, or set 'llm_provider' where "
    "settings are kept in a file."
)
WAIT = "Try again in a while, or look at the provider's own status."


async def try_model(
    house: House,
    workspace: Workspace,
    principal: Principal,
    tier: ModelTier,
    change: SettingsChange | None = None,
) -> TriedModel:
    """Ask the model of a class one question that is always the same; no mail goes to it.

    The call is reserved and counted like any other, for the person who asked for it, and is an
    event of the audit log. With a `change` it is asked as the settings would be by it; nothing of
    it is kept. Whatever goes wrong is told in the answer.

    Raises:
        ConflictError: a setting of the change has its place elsewhere.
        UnfitError: a model could not be asked as the change says.

    """
    if change is None:
        try:
            tried = await _asked(house, house.thinker, workspace, principal, tier)
        except SettingsError as error:
            provider = house.settings.llm_provider
            return TriedModel(provider=provider, trouble=_sentence(str(error)))
        note = ""
    else:
        tried = await _asked_as(house, workspace, principal, tier, change)
        note = "settings that are not kept: "
    if not tried.model:
        return tried
    await workspace.db.write(
        audit.append,
        actor=principal.name,
        action="try-model",
        subject=f"model:{tried.model}",
        detail=note + (tried.trouble or "it answered"),
        now=house.clock(),
    )
    return tried


async def _asked_as(
    house: House,
    workspace: Workspace,
    principal: Principal,
    tier: ModelTier,
    change: SettingsChange,
) -> TriedModel:
    """Ask as the settings would be by a change, over connections of its own."""
    settings = build_changed_settings(house, change)
    await asyncio.to_thread(check_choice, house.settings, settings, change)
    thinker = await asyncio.to_thread(open_thinker, settings, house.clock)
    try:
        return await _asked(house, thinker, workspace, principal, tier)
    finally:
        if thinker is not None:
            await thinker.provider.close()


async def _asked(
    house: House,
    thinker: Thinker | None,
    workspace: Workspace,
    principal: Principal,
    tier: ModelTier,
) -> TriedModel:
    if thinker is None:
        return TriedModel(provider="local", trouble=ALONE, remedy=ADD_ONE)
    question = Question(
        agent=AGENT,
        system=SYSTEM,
        user=QUESTION,
        form=TrialForm,
        tier=tier,
        max_tokens=MOST_TOKENS,
    )
    blank = TriedModel(
        provider=thinker.provider.name,
        model=thinker.provider.model_of(tier),
        question=QUESTION,
    )
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    charge = Charge(principal=principal.id, teams=tuple(sorted(teams)))
    began = time.perf_counter()
    try:
        async with asyncio.timeout(SECONDS):
            reply = await thinker.ask(workspace, question, charge)
    except TimeoutError:
        return _build_failure(blank, ModelFaultError(Fault.TIMEOUT), began)
    except ModelFaultError as error:
        return _build_failure(blank, error, began)
    answer = reply.content.get("answer", "") if isinstance(reply.content, dict) else ""
    return blank.model_copy(
        update={
            "answer": str(answer),
            "milliseconds": (time.perf_counter() - began) * 1000,
            "used": await workspace.db.read(usage.read_of_call, reply.call_id),
        }
    )


def _build_failure(blank: TriedModel, error: ModelFaultError, began: float) -> TriedModel:
    return blank.model_copy(
        update={
            "milliseconds": (time.perf_counter() - began) * 1000,
            "trouble": explain_fault(error),
            "remedy": REMEDIES.get(error.fault, WAIT),
        }
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
