"""The customer of a case, for the organization's own people: plan, accounts and notes."""

import streamlit as st

from data.records.mail.views import CaseView
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked
from ui.core.widgets.plain_text import words


def draw_customer(case: CaseView) -> None:
    """Draw plan, accounts and notes, folded; nothing where nothing is known."""
    customer_view = case.customer
    if customer_view is None:
        return
    with st.expander("Known of this customer"):
        if not case.customer_established:
            words(
                "The sender is not established: no reply tells any of this.", "dim", "customer-who"
            )
        facts_told = [
            ("Company", customer_view.company),
            ("Plan", customer_view.plan),
            ("Notes", customer_view.notes),
        ]
        for account in customer_view.accounts:
            name = f"Account {account.account}".strip()
            renewal = f"renews {account.renewal}" if account.renewal else ""
            facts = (account.plan, account.status, renewal, account.balance, account.orders)
            facts_told.append((name, " · ".join(fact for fact in facts if fact)))
        draw_marked(
            [line(run(f"{name}: ", "quiet"), run(value)) for name, value in facts_told if value],
            "list",
        )
