"""Shadow answers: those that no model gave, kept for who decides whether they are enough."""

import logging
from zoneinfo import ZoneInfo

from data.errors import NotFoundError, PosternError
from data.records.agents.intents import IntentSwitch
from data.records.core.principals import Principal
from data.records.core.tools import Effect
from data.store.agents import intents
from data.store.core.database import Connection
from flows.agents.calls import Calls
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.agents.agreement import is_same_answer
from tasks.agents.conversing import choose_call, tell_result
from tasks.agents.triage import LOOKUPS, Triage

COMPARED = 500
"""Most answers of a kind that are compared, the newest."""
log = logging.getLogger("postern.agents")


async def keep_shadow_answer(calls: Calls, meant: Triage, text: str) -> str:
    """Keep what would have been answered to a plain question that a model has answered.

    It only reads: a tool that changes anything is not there for it. Returns how that ended.
    """
    calling, turn = calls.calling, calls.turn
    reading = calls.tools.filter_by(lambda declared: declared.effect is Effect.NONE)
    call = choose_call(meant, text, reading.declarations)
    if call is None or meant.intent is None:
        return "nothing"
    try:
        result = await reading.call(calling, call.name, call.arguments)
    except PosternError as error:
        log.warning("turn %s: nothing to compare with: %s", turn.id, error)
        return "failed"
    now = calling.house.clock()
    here = now.astimezone(ZoneInfo(calling.workspace.organization.timezone))
    would_say = tell_result(meant, result, "", here, meant.language).text
    await calling.workspace.db.write(intents.add_shadow, turn.id, meant.intent, would_say, now)
    return "kept"


def list_compared_intents(cursor: Connection, viewer: str) -> tuple[IntentSwitch, ...]:
    """Return each kind of plain question with how often both answers say the same.

    The figures are of all that were asked; what was asked is shown to who may read it.
    """
    listed = []
    for kind in intents.list_switches(cursor, LOOKUPS, viewer):
        pairs = intents.list_answered_twice(cursor, kind.intent, limit=COMPARED)
        agreed = sum(is_same_answer(would_say, said) for would_say, said in pairs)
        listed.append(kind.model_copy(update={"compared": len(pairs), "agreed": agreed}))
    return tuple(listed)


async def switch_intent(
    house: House, workspace: Workspace, intent: str, principal: Principal, *, switched_on: bool
) -> tuple[IntentSwitch, ...]:
    """Have plain questions of a kind answered without the model, or with it, in a person's name.

    Raises:
        NotFoundError: there is no such kind.

    """
    if intent not in LOOKUPS:
        raise NotFoundError(f"there is no kind {intent!r}; there are {', '.join(sorted(LOOKUPS))}")

    def switch(act: Act) -> tuple[IntentSwitch, ...]:
        intents.set_switch(act.cursor, intent, act.actor, act.now, switched_on=switched_on)
        act.note("switch intent", f"intent:{intent}", "on" if switched_on else "off")
        return list_compared_intents(act.cursor, principal.id)

    return await carry_out(house, workspace, principal, switch)
