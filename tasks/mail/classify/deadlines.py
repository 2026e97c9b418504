# ruff: noqa: E501 -- a pattern reads best on one line
"""Words of eight languages that ask for something by today or tomorrow.

First version: a day that is named by its date or weekday is not reckoned with; nothing here knows
what day it is.
"""

from data.word_forms import strip_accents
from tasks.core.patterns import compiled

_NEAR = (
    r"\b(?:by|before|until|till|no later than|at the latest(?: by)?|latest by|not later than) (?:the )?(?:today|tonight|tomorrow|noon|midday|midnight|this (?:morning|afternoon|evening)|end of (?:the )?(?:day|business)|close of business|eod|cob|lunch|the end of (?:the|this) (?:day|afternoon)|\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock) (?:today|tomorrow))\b|\b(?:today|tonight|tomorrow(?: morning)?|noon) at the latest\b|\b(?:deadline|due|expires?|ends?) (?:is |date is )?(?:today|tonight|tomorrow|in (?:one|two|a few|\d) hours?)\b|\bwithin (?:the (?:next )?hour|(?:24|twenty-four|48|two|three|four|five|six|a few|\d) hours)\b",
    r"\b(?:spätestens|allerspätestens) (?:bis )?(?:heute|morgen|mittags?|zum mittag)\b|\bbis (?:spätestens )?(?:heute (?:mittag|abend|nachmittag|\d{1,2})|morgen(?: früh| mittag| abend| vormittag)?|mittag|heute um|\d{1,2} uhr)\b|\bnoch heute\b|\bfrist (?:endet|läuft)\b.{0,12}\b(?:heute|morgen)\b|\b(?:heute|morgen) (?:ist|endet) die frist\b|\binnerhalb (?:von |der nächsten )?(?:\d{1,2}|zwei|drei|weniger) stunden\b",
    r"\b(?:avant|d'ici|pour|jusqu'à|au plus tard)(?: à)? (?:ce soir|midi|demain(?: matin| midi| soir)?|aujourd'hui|la fin de (?:la )?journée)\b|\b(?:demain|ce soir|aujourd'hui) au plus tard\b|\baujourd'hui même\b|\bdans les (?:24|48|deux|trois|\d{1,2}) (?:prochaines )?heures\b|\bexpire (?:demain|aujourd'hui|ce soir)\b",
    r"\b(?:antes de|para|a más tardar|como muy tarde|como máximo)(?: las? \d{1,2} de)? (?:hoy|mañana|esta (?:tarde|noche)|mediodía|el mediodía)\b|\bhoy mismo\b|\b(?:hoy|mañana) (?:a más tardar|como muy tarde|como máximo|sin falta)\b|\ben las próximas (?:24|48|dos|tres|\d{1,2}) horas\b|\bvence (?:hoy|mañana)\b",
    r"\b(?:entro|prima di|per|al più tardi)(?: le \d{1,2} di)? (?:oggi|stasera|domani(?: mattina)?|mezzogiorno|la fine della giornata)\b|\boggi stesso\b|\b(?:oggi|domani) al più tardi\b|\bentro (?:le prossime )?(?:24|48|due|tre|poche|\d{1,2}) ore\b|\bscade (?:oggi|domani)\b",
    r"\b(?:até|antes de|para|o mais tardar)(?: às? \d{1,2} de)? (?:hoje|amanhã|esta (?:tarde|noite)|logo à noite|meio-dia|ao meio-dia)\b|\bainda hoje\b|\b(?:hoje|amanhã) (?:o mais tardar|sem falta)\b|\bnas próximas (?:24|48|duas|três|\d{1,2}) horas\b|\bexpira (?:hoje|amanhã)\b",
    r"\b(?:voor|uiterlijk|ten laatste|vóór)(?: om \d{1,2} uur)? (?:vandaag|vanavond|vanmiddag|morgen(?:ochtend|middag|avond)?|twaalf uur|het einde van de dag|12 uur)\b|\bvandaag nog\b|\b(?:vandaag|morgen) uiterlijk\b|\bbinnen (?:de komende )?(?:24|48|twee|drie|enkele|\d{1,2}) uur\b|\bverloopt (?:vandaag|morgen)\b",
    r"\b(?:do|przed|najpóźniej(?: do)?)(?: godziny \d{1,2})? (?:dziś|dzisiaj|jutra|jutro|wieczora|południa|południem|końca dnia)\b|\bjeszcze dziś\b|\bjeszcze dzisiaj\b|\bw ciągu (?:najbliższych )?(?:24|48|dwóch|trzech|kilku|\d{1,2}) godzin\b|\b(?:upływa|kończy się|mija) (?:dziś|jutro)\b",
)
_NEEDED = (
    r"\b(?:need|needs|needed|must|have to|has to|require[sd]?|deadline|due|please|pls|want|expires?|at the latest|have it|be (?:done|ready|here|fixed|solved))\b",
    r"\b(?:brauch\pL*|benötig\pL*|muss|müssen|bitte|spätestens|allerspätestens|frist|dringend|erwart\pL*|fertig|da sein|gelöst)\b",
    r"\b(?:besoin|faut|doit|doivent|dois|devons|veuillez|merci de|au plus tard|délai|impérativement|expire|attends|attendons|s'il vous plaît|svp)\b",
    r"\b(?:necesit\pL+|debe|deben|tengo que|tenemos que|por favor|plazo|a más tardar|como muy tarde|sin falta|vence|urge)\b",
    r"\b(?:bisogno|serve|servono|devo|deve|dobbiamo|per favore|scade\pL*|al più tardi|necessari\pL|occorre|mi serve)\b",
    r"\b(?:precis\pL+|tem de|tenho de|temos de|por favor|prazo|sem falta|o mais tardar|expira|necessit\pL+)\b",
    r"\b(?:nodig|moet|moeten|graag|alstublieft|uiterlijk|deadline|verloopt|ten laatste)\b",
    r"\b(?:potrzebuj\pL+|musi|musimy|muszę|proszę|termin|najpóźniej|koniecznie|upływa|mija)\b",
)
_STATED = compiled("(?im)(?:" + strip_accents("|".join(_NEAR)) + ")")
_WANTED = compiled("(?i)(?:" + strip_accents("|".join(_NEEDED)) + ")")
_OURS = compiled(
    strip_accents(
        r"(?i)\b(?:can|could|may|do|does|will|is it possible to) (?:i|we|you|it)\b.{0,40}\b(?:order|return|book|pay|cancel|deliver|open|close|arrive|ship|get|receive)\b|\bhow (?:late|long|much)\b|\bwhen (?:do|does|will|is|are)\b|"
        r"\b(?:kann|können|wann|wie lange|bis wann|liefern sie)\b|\b(?:puis-je|peut-on|quand|livrez-vous)\b|\b(?:puedo|cuándo|se puede)\b|\b(?:posso|quando|si può)\b|\b(?:kan ik|wanneer)\b|\b(?:czy mogę|kiedy)\b"
    )
)
"""Questions about what we do by when, which state no need."""


def may_tell_deadline(lines: str) -> bool:
    """Return whether any of several clauses without accents, a line each, may name a deadline."""
    return _STATED.search(lines) is not None


def deadline_in(clause: str) -> tuple[int, int] | None:
    """Return where a clause without accents says by when, today or tomorrow, something is needed."""
    match = _STATED.search(clause)
    if match is None or _WANTED.search(clause) is None or _OURS.search(clause) is not None:
        return None
    return match.start(), match.end()
