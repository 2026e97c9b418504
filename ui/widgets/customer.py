"""What the organization knows of a case's contact: for its own people."""

import streamlit as st

from data.records.mail.views import CaseView
from ui.runs import line, run
from ui.widgets.marked import marked
from ui.widgets.plain import words


def customer(case: CaseView) -> None:
    """Draw plan, accounts and notes, folded; nothing where nothing is known."""
    known = case.customer
    if known is None:
        return
    with st.expander("Known of this customer"):
        if not case.customer_established:
            words(
                "The sender is not established: no reply tells any of this.", "dim", "customer-who"
            )
        told = [("Company", known.company), ("Plan", known.plan), ("Notes", known.notes)]
        for one in known.accounts:
            name = f"Account {one.account}".strip()
            renewal = f"renews {one.renewal}" if one.renewal else ""
            facts = (one.plan, one.status, renewal, one.balance, one.orders)
            told.append((name, " · ".join(fact for fact in facts if fact)))
        marked(
            [line(run(f"{name}: ", "quiet"), run(value)) for name, value in told if value], "list"
        )
