"""Who asks a scripted provider within given caps, a clock that tests set, and the books."""

from datetime import UTC, datetime

from data.records.core.asking import Charge, Fault, ModelFaultError, Provider, Question
from data.settings import load_settings
from data.store.core.statements import rows
from flows.core.thinker import Thinker
from flows.core.workspace import Workspace
from tests.core.models.asked import GUARD
from tests.core.models.providers import Scripted, Think

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
PRICE = "* 10 50 1 12.5"
"""US$ a million tokens; a call of 1,000 in and 200 out costs 0.02."""
ONE = 0.02


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        """Return the time it shows."""
        return self.now


def thinker(think: Think | Provider, clock: Clock | None = None, **given: object) -> Thinker:
    """Return who asks a scripted provider, within given caps."""
    open_caps = {"llm_daily_cap": 0, "llm_monthly_cap": 0, "llm_sender_cap": 0}
    settings = load_settings(**{"llm_prices": (PRICE,), **open_caps, **given})
    provider = Scripted(think) if callable(think) else think
    return Thinker(provider, settings, clock or Clock(), pause=0.0)


async def until_refused(
    asking: Thinker, workspace: Workspace, question: Question = GUARD, item: str = ""
) -> tuple[int, Fault]:
    """Ask as a loop that never ends would; return how many calls were made, and what ended it."""
    for number in range(500):
        try:
            await asking.ask(
                workspace, question, Charge(item=item or f"i{number}", sender="a@b.example")
            )
        except ModelFaultError as error:
            return len(asking.provider.asked), error.fault  # type: ignore[attr-defined]
    raise AssertionError


async def spent(workspace: Workspace) -> float:
    """Return the sum that is on the books."""
    found = await workspace.db.read(rows, "SELECT coalesce(sum(cost), 0) AS sum FROM model_calls")
    return float(found[0]["sum"])
