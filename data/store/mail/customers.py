"""Facts about customers, by address: notes, plans and account records."""

from collections.abc import Collection, Sequence

from data.records.core.accounts import Account, CustomerFacts
from data.store.core.database import Connection
from data.store.core.statements import insert, validate_rows


def replace_accounts(cursor: Connection, accounts: Sequence[Account]) -> None:
    """Keep these account records, and no other ones."""
    cursor.execute("DELETE FROM accounts")
    insert(cursor, "accounts", [account.model_dump() for account in accounts])


def read_facts(cursor: Connection, emails: Collection[str]) -> dict[str, CustomerFacts]:
    """Return what is known of each address; addresses of which nothing is known are missing."""
    values = [list(emails)]
    accounts: dict[str, list[Account]] = {}
    statement = "SELECT * FROM accounts WHERE email IN (SELECT unnest(?)) ORDER BY id"
    for account in validate_rows(cursor, Account, statement, values):
        accounts.setdefault(account.email, []).append(account)
    contacts = {
        email: (company or "", plan or "", notes or "")
        for email, company, plan, notes in cursor.execute(
            "SELECT email, company, plan, notes FROM contacts WHERE email IN (SELECT unnest(?))",
            values,
        ).fetchall()
    }
    facts: dict[str, CustomerFacts] = {}
    for email in emails:
        company, plan, notes = contacts.get(email, ("", "", ""))
        facts[email] = CustomerFacts(
            company=company, plan=plan, notes=notes, accounts=tuple(accounts.get(email, ()))
        )
    return {
        email: customer_facts for email, customer_facts in facts.items() if not customer_facts.empty
    }


def list_owing(cursor: Connection) -> list[str]:
    """Return the addresses that have an account with something owed on it, the most first.

    A balance is text of the organization's own (`1,240.00 EUR`); one that holds no number owes
    nothing, and a credit (`-20.00 EUR`, `− 20`, `(20.00)`, `20.00-`) neither.
    """
    debtors = cursor.execute(
        "SELECT email, max(owed) AS owed FROM (SELECT email, try_cast(replace(regexp_extract("
        "balance, '[0-9][0-9,]*([.][0-9]+)?'), ',', '') AS DOUBLE) AS owed FROM accounts "
        r"WHERE NOT regexp_matches(balance, '^[^0-9]*[-−(]\s*[^0-9]?\s*[0-9]') AND NOT "
        r"regexp_matches(balance, '^[^0-9]*[0-9][0-9,]*([.][0-9]+)?\s*[-−][^0-9]*$')) "
        "WHERE owed > 0 GROUP BY email ORDER BY owed DESC, email"
    ).fetchall()
    return [str(email) for email, _ in debtors]
