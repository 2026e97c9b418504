"""Notes that money should go to another account from now on."""

from collections.abc import Iterator

from data.free_mail import is_free_mail
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.combinations import Combinations, Together
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.spotting import mask_of

_LONGEST = 150
"""Words; such letters are short, and a long one meets these words by chance."""
_SCORE = 0.4
_DOUBTED = 0.4
"""What the score is multiplied by when somebody asks about it, or says that nothing changes."""
_PAIRS = (
    ("wage", "new_account"),
    ("usual_account", "unusable", "send_money"),
    ("rebanked", "bank|pay|send_money"),
    ("new_details", "pay|send_money"),
    ("from_now", "account_below"),
)
_OWN_WAGE = ("wage", "move_account")
"""From an address that anybody can have; colleagues say this from the organization's."""
_IN_A_SENTENCE = Combinations(
    Together(("bank", "changed", "pay"), 0.55, 30, without="doubt|unchanged"),
    Together(("bank", "changed"), 0.4, 10, without="doubt|unchanged"),
    Together(("pay", "bank", "pressure"), 0.35, 25),
)


def look(views: Views) -> Iterator[Find]:
    """Find sentences about changed bank details, and short letters that lead money elsewhere."""
    yield from _IN_A_SENTENCE(views)
    for scanned in views.scanned:
        spotted, place = scanned.spotted, scanned.source.place
        if (
            place not in (MessagePlace.BODY, MessagePlace.FORWARDED)
            or len(spotted.words) > _LONGEST
        ):
            continue
        mask = spotted.mask
        pairs = (*_PAIRS, _OWN_WAGE) if is_free_mail(views.sender_domain) else _PAIRS
        if any(all(mask & mask_of(part) for part in parts) for parts in pairs):
            doubted = mask & mask_of("doubt|unchanged")
            yield Find(place, spotted.excerpt(0, 30), _SCORE * (_DOUBTED if doubted else 1))


RULE = ScreenRule(
    name="payment_change",
    sentence="Says that bank details have changed and payments should go elsewhere.",
    technique="payment_change",
    layer=FilterLayer.CONTENT,
    severity=0.6,
    look=look,
)
