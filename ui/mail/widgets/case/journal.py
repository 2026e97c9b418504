"""The journal: what each stage did, how long it took, and with what it was configured."""

from collections.abc import Sequence

import streamlit as st

from data.counting import plural
from data.records.mail.views import StepView
from data.states import StepStatus
from ui.core.chips import chips, make_muted
from ui.core.text.text_runs import Icon, TextLine, line, run
from ui.core.widgets.marked import draw_marked

SIGNS: dict[StepStatus, Icon] = {
    StepStatus.DONE: "yes",
    StepStatus.RETRY: "warn",
    StepStatus.FAILED: "no",
}


def journal(steps: Sequence[StepView], run_url: str = "") -> None:
    """Draw the steps in order, with a link to the flow run that made the last of them."""
    if steps:
        spent = sum(step.milliseconds for step in steps)
        took = f"{spent / 1000:.1f} s" if spent >= 1000 else f"{spent:.0f} ms"
        chips(make_muted(f"{plural(len(steps), 'step')}, {took}"))
        draw_marked([_step(step) for step in steps], look="checks")
        if run_url:
            st.caption(f"[The flow run in Prefect]({run_url})")


def _step(step: StepView) -> TextLine:
    about = ", ".join(part for part in (step.provider, step.config_version) if part)
    again = f", attempt {step.attempt}" if step.attempt > 1 else ""
    return line(
        run(step.stage, "strong", f"{step.started_at:%H:%M:%S %Z}, {step.item_id}"),
        run(f"  {step.milliseconds:.0f} ms{again}"),
        run(f"  {about}", "quiet"),
        run(f"\n{step.error}" if step.error else "", "block"),
        icon=SIGNS[step.status],
    )
