"""The category that the name of the mailbox which was written to speaks for.

Who writes to `billing@` mostly writes about bills. The name speaks for a category and decides
nothing: it shifts the odds once, and leaves the share of spam, which goes to every address, as it
was.
"""

from collections.abc import Sequence

from data.concepts import words_of
from data.records.core.understanding import Category

_NAMES = {
    Category.BILLING: (
        "billing bills invoice invoices invoicing accounts accounting payment payments finance "
        "rechnung rechnungen buchhaltung facturation factures comptabilite compta facturacion "
        "facturas contabilidad fatturazione fatture contabilita faturacao faturas contabilidade "
        "facturatie facturen boekhouding faktury ksiegowosc"
    ),
    Category.SUPPORT: (
        "support help helpdesk servicedesk service techsupport customerservice customercare care "
        "hilfe kundendienst kundenservice assistance aide soporte ayuda assistenza aiuto "
        "suporte ajuda ondersteuning klantenservice pomoc serwis"
    ),
    Category.SALES: (
        "sales quotes quotations offers hire rental rentals vertrieb verkauf angebote ventes devis "
        "location ventas alquiler vendite preventivi noleggio vendas verkoop offertes verhuur "
        "sprzedaz oferty"
    ),
    Category.COMPLAINT: (
        "complaint complaints beschwerde beschwerden reclamations reclamaciones quejas reclami "
        "reclamacoes klachten skargi reklamacje"
    ),
}
_MATTERS = {name: category for category, names in _NAMES.items() for name in names.split()}


def mailbox_matter(addresses: Sequence[str]) -> Category | None:
    """The category that the names of `addresses` speak for, if they do.

    Several that tell different things tell nothing. Addresses are the organization's own ones that
    a message was sent to, such as `billing@reed.example` or `uk-billing@reed.example`.
    """
    matters = {
        _MATTERS[part]
        for address in addresses
        for part in words_of(address.partition("@")[0].lower().replace("_", " "))
        if part in _MATTERS
    }
    return matters.pop() if len(matters) == 1 else None
