"""The cases and contacts that a business profile may refer to."""

from ui.core.session import read_lately
from ui.core.text.inert import one_line
from ui.mail.api.cases import Filters
from ui.mail.api.desk import mail_desk


def list_referable() -> dict[str, str]:
    """Return them by kind and id, as people call them."""
    waiting = read_lately(
        "profile-cases", lambda: mail_desk().cases.queue(Filters(), limit=100)
    ).items
    return {f"case:{item.case_id}": f"Case: {one_line(item.subject, 80)}" for item in waiting} | {
        f"contact:{item.contact.email}": f"Contact: {item.contact.name or item.contact.email}"
        for item in waiting
        if item.contact.email
    }
