# ruff: noqa: E501 -- a pattern reads best on one line
"""The test for messages that cannot wait: deterministic, and run before classification.

It lets a message skip the quiet window of coalescing, so it is precise rather than complete: what
shouts in a newsletter, what is said not to be urgent, and what someone else may turn to "in urgent
cases" does not count. Words are read clause by clause, so a "not" reaches no further than its own.
"""

from functools import lru_cache

import re2

from data.concepts import concepts_named_in
from data.lexicons.drafting import shared_words
from data.ngrams import replace_surrogates
from data.word_forms import strip_accents
from tasks.core.patterns import compiled
from tasks.mail.classify.dangers import danger_in, is_figurative, may_tell_danger
from tasks.mail.classify.deadlines import deadline_in, may_tell_deadline
from tasks.mail.classify.hazards import does_nothing, may_tell_hazard, people_wait, tells_hazard

_MEMORY = 64 << 20
"""Bytes that an automaton may use: the patterns are long."""

READ = 6000
"""Characters that are looked at."""
_REMEMBERED = 2048
"""Mails whose answer is remembered: who is asked when one comes is asked when its case is begun."""

# re2's word boundary knows ASCII only: it is left out beside other letters, and \pL is any letter.

_CLAUSES = compiled(r"[.!?…;\n]+|,\s+(?:but|aber|mais|pero|ma|mas|maar|ale)\s")

_PLEAS = (
    # English
    r"(?:this|it|that|matter|situation|case)(?: is|'s) (?:very |really |extremely |quite )?(?:urgent|an emergency|critical)",
    r"urgent(?:ly)?(?: please| help| request| assistance| attention)?[ :]*$",
    r"^\W*urgent\b",
    r"(?:need|needs|require|requires)\b.*\b(?:urgently|immediately|immediate|right now|right away|asap|within the hour)\b",
    r"(?:please|pls)\b.*\b(?:urgently|immediately|right now|right away|asap|at once)\b",
    r"\b(?:call|ring|phone) (?:me|us)(?: back)? (?:now|immediately|at once|right away|as fast as)\b",
    r"\b(?:freeze|block) (?:my|every|all|the) .*\bnow\b",
    r"\basap\b",
    r"immediate (?:attention|assistance|action|help)",
    r"top priority|highest priority",
    r"\b(?:every minute counts|can(?:'t|not) wait|time[- ]critical|life[- ]threatening)\b",
    r"deadline (?:is |ends |expires )?(?:today|tonight|in an hour)",
    r"^\W*(?:emergency|help)\b\W*(?:$|please|we|i|the)",
    r"\b(?:i|we) (?:demand|insist on|want (?:my|our|the|it|this|that|you|an?|some\pL+)) ?\b.{0,60}\b(?:today|tonight|immediately|right now|at once|this minute)\b",
    r"\b(?:please|pls|plz) (?:hurry|be quick)\b|\b(?:respond|act|help|come|answer) (?:now|at once|without delay)\b",
    r"\b(?:must|has to|have to|needs? to be|needs?|it)\b.*\b(?:at once|without delay|(?:fixed|solved|resolved|sorted|repaired|restored|dealt with) (?:by |before )?(?:today|tonight|noon|midnight))\b",
    # deutsch
    r"(?:ist|sehr|äußerst|wirklich|es) (?:dringend|eilig)\b",
    r"^\W*(?:dringend|eilt|notfall)\b",
    r"\bnotfall\b",
    r"\beilt sehr\b",
    r"\b(?:bitte|müssen|brauch\pL*|benötig\pL*)\b.*\b(?:sofort|umgehend|unverzüglich|dringend)\b",
    r"\b(?:sofort|umgehend|unverzüglich)\b.*\b(?:sperren|handeln|helfen|rückruf|beheben|antworten)\b",
    r"höchste priorität",
    r"\bbeeilen sie sich\b|\bbeeilt euch\b|\bso schnell es geht\b|\bmuss unverzüglich\b",
    # français
    r"(?:c'est|est|très|vraiment) urgent",
    r"^\W*urgent\b",
    r"\burgence absolue\b|s'agit d'une urgence",
    r"\b(?:merci|veuillez|prière|il faut|besoin|moi|le|la)\b.*\b(?:immédiatement|tout de suite|d'urgence|sans délai)\b",
    r"priorité absolue",
    r"\bdépêchez-+vous\b|\bau secours\b|\bfaites vite\b|\bil faut agir\b|\b(?:rappelez|envoyez|venez)\b.* vite\b",
    # español
    r"(?:es|muy|realmente) urgente",
    r"^\W*urgente\b",
    r"\b(?:es|trata de) una (?:emergencia|urgencia)\b",
    r"\b(?:por favor|necesit\pL*|hay que|deben|bloqu\pL*|llám\pL*)\b.*\b(?:inmediatamente|de inmediato|urgentemente|ahora mismo|enseguida|ya)\b",
    r"máxima prioridad",
    r"\bd[ae]n?se prisa\b|\bactuar sin demora\b|\bsocorro\b|\bhay que actuar\b|\bayuda inmediata\b",
    # italiano
    r"(?:è|molto|davvero) urgente",
    r"\bun'emergenza\b",
    r"\b(?:per favore|prego|bisogn\pL*|bloccat\pL*|intervenite|chiamat\pL*)\b.*\b(?:subito|immediatamente|urgentemente|oggi stesso)\b",
    r"\bfate presto\b|\bsbrigatevi\b|\baiuto immediato\b|\bmandate\b.* subito\b",
    # português
    r"(?:é|muito) urgente",
    r"\buma emergência\b",
    r"\b(?:por favor|precis\pL*|bloque\pL*|ajam)\b.*\b(?:imediatamente|de imediato|urgentemente|já|ainda hoje)\b",
    r"\bapressem-se\b|\bdepressa\b|\bajuda imediata\b",
    # nederlands
    r"(?:is|zeer|heel) (?:dringend|spoed)\b",
    r"^\W*(?:spoed|dringend)\b",
    r"\bnoodgeval\b",
    r"\b(?:graag|moet\pL*|blokkeer|alstublieft)\b.*\b(?:onmiddellijk|meteen|direct|per direct|met spoed)\b",
    r"\bhaast u\b|\bschiet (?:alstublieft |alsjeblieft )?op\b|\bsnel iemand\b|\bonmiddellijk hulp\b",
    # polski
    r"(?:to|bardzo|sprawa) (?:jest )?piln[ea]",
    r"^\W*pilne\b",
    r"\bnagły wypadek\b",
    r"\b(?:proszę|trzeba|potrzebuj\pL*)\b.*\b(?:natychmiast|pilnie|jak najszybciej|od razu)\b",
)
"""How people say that they cannot wait."""

_FACTS = (
    # work at a stop, money lost by the hour
    r"\b(?:at a (?:complete )?standstill|standing still|losing (?:money|customers|sales|orders)|lose (?:about |over )?\S+ (?:an|per|every) hour|every (?:minute|hour)(?: of \pL+)? costs)\b",
    r"\b(?:we|team|office|staff|everyone|department)\b.{0,25}\b(?:can't|cannot|can not|unable to) (?:work|trade|operate|serve|sell)\b",
    r"\bst(?:eht|ehen)\b.{0,20}\bstill\b|\b(?:est|sont) à l'arrêt\b|\bkomplett\pL* ausfall\b",
    # an outage, in the present, of everything or everyone
    r"\b(?:server|site|website|system|shop|store|network|database|production|service|everything|platform|app) (?:is|are|has been|went) (?:completely |totally |all )?(?:down|offline|gone down)\b",
    r"\b(?:total|complete|full|major|severe) outage\b",
    r"\bno(?:body| one) can (?:work|log in|pay|order|access)\b",
    r"\bniemand kann (?:arbeiten|sich anmelden|bezahlen|bestellen)\b",
    r"\b(?:total|server)ausfall\b",
    r"\bserver (?:ist|sind) (?:komplett )?(?:ausgefallen|down|offline)\b",
    r"\bplus personne ne peut\b|\bpanne totale\b|\bserveur est (?:en panne|tombé)\b",
    r"\bnadie puede (?:trabajar|entrar|pagar)\b|\bcaída total\b|\bservidor (?:se ha caído|está caído)\b",
    r"\bnessuno può lavorare\b|\bserver è (?:fermo|giù)\b",
    r"\bninguém consegue trabalhar\b|\bservidor (?:caiu|está em baixo)\b",
    r"\bniemand kan werken\b|\bserver ligt (?:plat|eruit)\b",
    r"\bnikt nie może pracować|\bserwer padł|\bcałkowita awaria\b",
    # danger
    r"\b(?:smell(?:s|ing)?|stinks) (?:of |like )?gas\b|\bgas leak\b|\bburst pipe\b|\bpipe (?:has )?burst\b|\bwater is (?:rising|pouring|running)\b|\bwater\b.{0,25}\b(?:through|from) the (?:ceiling|roof)\b|\bstuck in (?:the|a) (?:lift|elevator)\b|\blift is stuck\b|\bambulance is\b|\bstranded\b|\bchest pains?\b|\bcan(?:'t|not) breathe\b",
    r"\briecht (?:es )?(?:stark )?nach gas\b|\bgasgeruch\b|\bes brennt\b|\brohr (?:ist )?geplatzt\b|\bwasserrohrbruch\b|\bwasser (?:steigt|läuft durch)\b",
    r"\bwasser\b.{0,20}\bdecke\b|\b(?:eau|agua|acqua|água|water|wod[ay])\b.{0,25}\b(?:plafond|techo|soffitto|teto|sufitu)\b|\bleje się woda\b",
    r"\b(?:sent le gaz|odeur de gaz|fuite de gaz)\b|\b(?:canalisation|tuyau) a éclaté|\bl'eau monte\b|\bprend feu\b",
    r"\bhuele a gas\b|\bfuga de gas\b|\broto una tubería\b|\bsube el agua\b|\bhay un incendio\b",
    r"\bodore di gas\b|\brotto un tubo\b|\bl'acqua sale\b",
    r"\bcheiro a gás\b|\brebentou um cano\b",
    r"\bgaslucht\b|\bleiding (?:is )?gesprongen\b",
    r"\bzapach gazu\b|\bpękła rura\b",
    # money or access taken right now
    r"\b(?:my|our|the) (?:card|wallet|purse|bank card|credit card) (?:was|has been|got) stolen\b|\bstole my (?:card|wallet|phone)\b|\b(?:hacked|broke into|breached) (?:into )?(?:my|our)\b|\b(?:account|server|mailbox) (?:was|has been|got|is) (?:hacked|compromised)\b|\bdata breach\b.*\b(?:discovered|detected|exposed|happened)\b|\b(?:discovered|detected|report) a data breach\b|\bransomware\b.*\b(?:encrypted|server|files)\b",
    # water where it should not be, cards that are gone, all of a site
    r"\b(?:is|are|was|were|gets?|getting|being|completely|already) flood(?:ed|ing)\b|\bflooding (?:the|our|my|everything)\b|\bunder water\b|\büberschwemmt\b|\bunter wasser\b|\binondée?s?\b|\bsous l'eau\b|\binundad[oa]s?\b|\binunda(?:ndo|ndose)\b|\binondad[oa]s?\b|\ballaga(?:t[oaie]|ndo|ndosi)\b|\bonder water\b|\bzalewa\b|\bzalan[eya]\b",
    r"\b(?:bank|credit|debit) card (?:is|was|has) (?:gone|lost|missing|disappeared)\b|\b(?:lost|can't find|cannot find) my (?:bank |credit |debit )?card\b|\b(?:withdrawal|payment|transfer|purchase)s?\b.{0,20}\b(?:don't|do not|didn't|did not) (?:know|recogni[sz]e|make)\b|\b(?:stranger|someone|somebody|hacker)\b.{0,15}\b(?:got|is|broke|logged) (?:in|into)\b|\b(?:freeze|block) (?:it|them|my|our|the)\b",
    r"\b(?:bankkarte|kreditkarte|girokarte)\b.{0,40}\b(?:weg|verloren|gestohlen|nicht (?:mehr )?finden)\b|\bfaites opposition\b|\bopposition (?:à|sur) (?:ma|la) carte\b|\b(?:perdu|retrouve (?:plus|pas)) ma carte\b|\b(?:perdido|encuentro) (?:la|mi) tarjeta\b|\banúlen(?:la|lo)\b|\bbloquéen(?:la|lo)\b|\b(?:perso|smarrito|trovo più) la (?:mia )?carta\b|\b(?:perdi|encontro) o (?:meu )?cartão\b|\b(?:bankpas|pinpas|creditcard) (?:is )?(?:kwijt|verloren|weg)\b|\bzgubił[ae]m kartę\b",
    r"\b(?:whole|entire|complete) (?:web)?(?:site|shop|store|system|platform)\b.{0,30}\b(?:error|down|blank|dead|gone)\b|\b(?:komplette|ganze|gesamte) (?:seite|website|webseite|shop)\b.{0,50}\b\pL*fehler\b|\btou(?:t|te) notre (?:site|boutique)\b.{0,30}\berreur\b|\btoda nuestra (?:web|página|tienda)\b.{0,40}\berror\b|\btutto il nostro (?:sito|negozio)\b.{0,40}\berrore\b|\btodo o nosso (?:site|sistema)\b.{0,40}\berro\b|\bhele (?:site|website|winkel)\b.{0,40}\bfout\b|\bcał[ay] (?:nasz[ae] )?(?:strona|sklep|serwis)\b.{0,40}\bbłąd\b",
    r"\b(?:plane|flight|train|ferry|ship|bus|coach) (?:boards|departs|leaves|takes off) (?:now|in \d|in (?:an?|five|ten|half)|at \d)|\b(?:backend|gateway|checkout|payments?|production|server|database)\b.{0,15}\b(?:is|are) failing\b",
    # credentials given away, payments by somebody else
    r"\b(?:clicked|followed|opened)\b.{0,60}\blink\b.{0,80}\b(?:password|code|card|login|details)\b|\b(?:someone|somebody|a thief|they) (?:took|stole|has|have|got) my (?:phone|wallet|purse|bag|card|bank card|card details|card number|password|login)\b|\b(?:withdrawal|payments?|transfers?|purchases?)\b.{0,60}\b(?:wasn't|was not|weren't|were not|isn't) (?:me|mine|us)\b|\bblock (?:everything|all of it)\b|\b(?:every|all) (?:documents?|files?)\b.{0,40}(?:\.locked|encrypted)\b",
    r"\blink\b.{0,60}\b(?:an)?(?:geklickt|geöffnet)\b.{0,80}\b(?:passwort|kennwort|tan|daten)\b|\b(?:handy|geldbörse|portemonnaie|brieftasche|tasche)\b.{0,20}\b(?:gestohlen|geklaut)\b",
    r"\bvolé (?:mon|ma) (?:portefeuille|téléphone|sac)\b|\brobado (?:la cartera|el móvil|el bolso)\b|\brubato (?:il portafoglio|il telefono|la borsa)\b|\broubaram-me a (?:carteira|mala)\b|\b(?:telefoon|portemonnee|tas) (?:is )?gestolen\b|\bukradziono mi (?:portfel|telefon|torebkę)",
    r"\bkarte (?:wurde|ist) (?:mir )?gestohlen\b|\bkonto (?:wurde )?gehackt\b|\b(?:ein )?datenleck (?:entdeckt|festgestellt)\b",
    r"\bm'a volé (?:ma|la) carte\b|\bcarte (?:a été )?volée\b|\bpiraté (?:mon|notre) compte\b",
    r"\bhan robado la tarjeta\b|\btarjeta (?:fue )?robada\b|\bhackeado (?:mi|la|nuestra) cuenta\b",
    r"\bhanno rubato la carta\b|\bviolato (?:il mio|il nostro) (?:account|conto)\b",
    r"\broubaram-me o cartão\b|\binvadiram a minha conta\b",
    r"\bpas is gestolen\b|\baccount is gehackt\b",
    r"\bukradziono mi kartę|\bwłaman\pL* na moje konto\b|\bwłamał się na moje konto\b",
)
"""What cannot wait whether or not it is said."""

_CRUNCH = compiled(
    strip_accents(
        r"(?i)\b(?:in|within) (?:about |under |less than |just )?(?:\d{1,2}|five|ten|fifteen|twenty|thirty|forty|fifty|an|one|half an|two) (?:min\pL*|hours?)\b|\b(?:leaves?|starts?|begins?|opens?|departs?) in (?:\d|(?:an|one|two|three|four|a few) )|"
        r"\bin (?:\d{1,2}|zehn|zwanzig|dreißig|vierzig|einer(?: halben)?|zwei) (?:min\pL*|stunden?)\b|"
        r"\bdans (?:\d{1,2}|dix|vingt|trente|quarante|une|une demi|deux)[ -](?:min\pL*|heures?)\b|"
        r"\ben (?:\d{1,2}|diez|veinte|treinta|cuarenta|media|una|dos) (?:min\pL*|horas?)\b|"
        r"\b(?:tra|fra) (?:\d{1,2}|dieci|venti|trenta|quaranta|un|mezz)['’ ](?:min\pL*|or[ae])\b|\b(?:tra|fra) (?:\d{1,2}|due|tre|poche) (?:min\pL*|or[ae])\b|"
        r"\b(?:em|daqui a) (?:\d{1,2}|dez|vinte|trinta|quarenta|meia|uma) (?:min\pL*|horas?)\b|"
        r"\bover (?:\d{1,2}|tien|twintig|dertig|veertig|een(?: half)?) (?:min\pL*|uur)\b|"
        r"\bza (?:\d{1,2}|dziesięć|dwadzieścia|pół|dwie)? ?(?:min\pL*|godzin\pL*)\b"
    )
)
"""A time so short that what goes wrong must be mended within it."""
_EVENT = (
    r"(?:gala|event|tour|conference|wedding|funeral|birthday|graduation|geburtstag|beerdigung|anniversaire|enterrement|cumpleaños|"
    r"funerale|compleanno|aniversário|verjaardag|begrafenis|ślub|pogrzeb|urodziny|targi|fair|"
    r"concert|congress|performance|ceremony|party|exhibition|premiere|feier|veranstaltung|"
    r"führung|hochzeit|konferenz|tagung|messe|konzert|auftritt|événement|visite|mariage|conférence|spectacle|soirée|cérémonie|"
    r"evento|acto|visita|boda|conferencia|concierto|congreso|matrimonio|conferenza|concerto|congresso|casamento|conferência|"
    r"evenement|rondleiding|bruiloft|conferentie|congres|feest|impreza|wydarzenie|wycieczka|wesele|konferencja|koncert)"
)
_HAPPENS = (
    r"(?:is|are|starts?|begins?|takes place|ist|beginnt|startet|findet|est|commence|débute|a lieu|es|empieza|comienza|è|inizia|"
    r"comincia|é|começa|begint|jest|zaczyna|odbywa)"
)
_DAY = (
    r"(?:tonight|today|tomorrow|this (?:morning|afternoon|evening)|heute|morgen|ce soir|aujourd'hui|demain|esta noche|hoy|mañana|"
    r"stasera|oggi|domani|hoje|amanhã|esta noite|vanavond|vandaag|dziś|dzisiaj|jutro)"
)
_TODAY = compiled(
    strip_accents(
        rf"(?i)\b{_EVENT}\b.{{0,20}}\b{_HAPPENS}\b.{{0,12}}\b{_DAY}\b|"
        rf"\b{_DAY}\b.{{0,10}}\b{_HAPPENS}\b.{{0,20}}\b{_EVENT}\b"
    )
)
"""What somebody has today or tomorrow, for which what goes wrong must be mended."""
_NOTHING = compiled(
    strip_accents(
        r"(?i)\bnone of (?:the|our|them)\b|\bkeine?r? (?:der|von|einzige)\b|\baucun\b|\bningun[oa]?\b|\bniente\b|\bnulla\b|\bnessun[oa]?\b|"
        r"\bnenhum[a]?\b|\bniets\b|\bgeen enkele\b|\bżad(?:en|na|ne)\b"
    )
)
"""Words that say of all that it fails: *none of the receivers work*."""
_TROUBLE = frozenset({"danger", "down", "broken", "problem", "error", "missing", "help", "not"})
_PRESSURE = frozenset({"now", "people"})
_ALARM = frozenset({"urgent", "danger", "down"})
_WAITS = compiled(
    strip_accents(
        r"(?i)\bcan(?:'t|not) wait (?:to|for|until|till)\b|\beilt (?:aber |gar |überhaupt )?nicht\b|\b(?:not|n't|isn't|no|nothing|never|without|hardly|less) (?:\pL+ ){0,2}(?:urgent|emergency|rush|immediate)|\bnon[- ]urgent|"
        r"(?:in|for) (?:an? |any |all )?(?:urgent|emergenc\pL+)(?: cases?| matters?| inquiries)?|if (?:it is|it's|this is|your|the matter)\b.*\burgent|urgent (?:sale|deal|offer|care)|"
        r"\b(?:kein\pL*|nicht|weder|ohne|un)\s*(?:\pL+ ){0,2}(?:notfall|dringend\pL*|eil\pL*)|nicht (?:so |sehr |besonders )?(?:dringend|eilig)|in (?:dringenden|eiligen) (?:fällen|angelegenheiten)|im notfall|bei notfällen|"
        r"\bpas (?:très |si )?urgent|n'est pas une urgence|en cas d'urgence|sans urgence|\bno (?:es|era) (?:muy |nada )?urgente|en caso de (?:urgencia|emergencia)|para urgencias|"
        r"\bn(?:on|n) è (?:molto )?urgente|\bin caso di (?:urgenza|emergenza)|per urgenze|\bnão é (?:muito )?urgente|em caso de (?:urgência|emergência)|"
        r"\bniet (?:zo |erg )?(?:dringend|spoed\pL*)|geen (?:spoed|haast|noodgeval)|bij spoed|in (?:geval van nood|noodgevallen)|\b(?:nie (?:jest |są )?(?:to )?piln\pL*|niepiln\pL*|w pilnych)|"
        r"(?:was|were|been|had|used to be|last (?:week|month|year))\b.*\b(?:down|emergency)\b.*\b(?:now|again) (?:works|working|up|fine|fixed)|works again|is back up|läuft wieder|"
        r"(?:what|was) if\b|\bhow (?:do|can|should) (?:i|we) (?:report|prevent|protect)|\btest(?:ing)? alarm|fire drill|probealarm"
    )
)
_BULK = compiled(
    strip_accents(
        r"(?i)\bunsubscribe|opt[- ]out|view (?:this|it)? ?(?:mail|email|e-mail)? ?in (?:your )?browser|manage (?:your )?preferences|\bshop now|% off|% rabatt|\babmelden\b|newsletter|rundbrief|"
        r"se désabonner|désinscri|darse de baja|cancelar (?:la )?suscripción|boletín|annulla (?:l'|l')?iscrizione|disiscriv|cancelar (?:a )?subscrição|afmelden|nieuwsbrief|wypisz się|biuletyn|"
        r"\bclick (?:here|below)|act now|limited time|\b(?:summer|winter|spring|autumn|flash|clearance|final|big|mega|annual|friday) sale\b|\bsale (?:ends|starts|now|items|prices?|season)\b|soldes|rebajas|saldi\b|promo(?:ção|ción|tion)|you have won|lottery|gewonnen|"
        r"verify your (?:account|information|password)|confirm your (?:password|account|identity)"
    )
)
_TITLES = "|".join(re2.escape(shared_word) for shared_word in shared_words("titles"))
_NO_EVENTS = compiled(
    r"(?i)\b(?:called|titled|named|entitled|heißt|namens|genannt|titel|s'appelle|appelée?|intitulée?|se llama|llamad[ao]|titulad[ao]|"
    r"si chiama|intitolat[oa]|chama-se|chamad[ao]|heet|genaamd|nazywa się|pod tytułem|zatytułowan\pL*)\s+[^.;,?!]{1,30}|"
    r"['\"“„«‘][^'\"”“»’.]{1,30}['\"”“»’]|"
    rf"\b(?i:{_TITLES})\.?\s+\p{{Lu}}[\p{{L}}'’-]+(?:\s+\p{{Lu}}[\p{{L}}'’-]+)?|"
    r"(?i)\b(?:the|an?|what|which|your|our|my|this|that|any|every|each|same|other|another|new|of) brands?\b|"
    r"\bbrand(?:s|ed|ing)? (?:of|new|names?|is|has|are|do|does)\b|\bbrand-new\b"
)
"""Words that name somebody, or a make: *Mr Brand*, *which brand*; a *Brand* is a fire in German."""
_URGENT = compiled("(?im)(?:" + strip_accents("|".join((*_PLEAS, *_FACTS))) + ")", _MEMORY)


def is_urgent(text: str, subject: str) -> str | None:
    """The words that make a message urgent, as written, or None; never fails.

    Mass mail is never urgent, whatever it shouts. Accents do not matter.
    """
    return _alarm_in(_read(text, subject))


@lru_cache(maxsize=_REMEMBERED)
def _alarm_in(written: str) -> str | None:
    """Return the words of a mail, its subject in the first line, that make it urgent, or None."""
    whole = strip_accents(written)
    if _BULK.search(whole) is not None:
        return None
    hazardous = may_tell_hazard(whole)
    start = 0
    for end in [*_ends(whole), len(whole)] if hazardous or _presses_somewhere(whole) else ():
        clause = whole[start:end]
        span = danger_in(clause) or deadline_in(clause) or _plea_in(clause)
        if span is None and hazardous:
            span = _hazard_in(clause)
        if span is not None and _WAITS.search(clause) is None:
            words_said = written[start + span[0] : start + span[1]]
            return " ".join(words_said.split()).strip(" ,:")
        start = end
    short = _CRUNCH.search(whole) or _TODAY.search(whole)
    waiting = "" if short else people_wait(whole)
    if not (short or waiting) or _WAITS.search(whole) is not None:
        return None
    if short is not None:
        fails = concepts_named_in(written) & (_TROUBLE - {"help"}) or _fails_wholly(whole)
        return " ".join(written[short.start() : short.end()].split()) if fails else None
    broken = concepts_named_in(written) & {"broken", "down"}
    return waiting if broken or _fails_wholly(whole) else None


def _fails_wholly(whole: str) -> bool:
    return _NOTHING.search(whole) is not None or does_nothing(whole)


def _hazard_in(clause: str) -> tuple[int, int] | None:
    """Return where the words of a clause stand that tells of danger; None when it does not."""
    if is_figurative(clause) or not tells_hazard(clause):
        return None
    return len(clause) - len(clause.lstrip()), len(clause)


def _presses_somewhere(whole: str) -> bool:
    """Return whether any clause of a text can hold a sign of haste.

    All clauses are searched at once, a line each: most mail holds none, and thirty searches of
    thirty clauses cost several times as much as one of them all. The patterns take the ends of
    lines for the ends of a clause, so what a clause holds is never missed here.
    """
    lines = _CLAUSES.sub("\n", whole)
    return _URGENT.search(lines) is not None or may_tell_danger(lines) or may_tell_deadline(lines)


def _plea_in(clause: str) -> tuple[int, int] | None:
    """Return where a clause says that it cannot wait, or tells what cannot; None when nowhere."""
    match = _URGENT.search(clause)
    return None if match is None else (match.start(), match.end())


def can_wait(text: str, subject: str) -> bool:
    """Whether a message says that it can wait, or is mass mail, which always can."""
    whole = strip_accents(_read(text, subject))
    return _BULK.search(whole) is not None or _WAITS.search(whole) is not None


def could_be_urgent(text: str, subject: str) -> bool:
    """Whether there is evidence that a message could be urgent: trouble, and pressure of time.

    Absence notes, denials and mass mail never press. It is necessary, not sufficient.
    """
    if can_wait(text, subject):
        return False
    read = _read(text, subject)
    signals = concepts_named_in(_NO_EVENTS.sub(" ", read))
    if is_figurative(strip_accents(read)):
        signals = signals - {"danger"}
    return bool(signals & _ALARM) or bool(signals & _TROUBLE and signals & _PRESSURE)


def _read(text: str, subject: str) -> str:
    return replace_surrogates(f"{subject}\n{text.strip()}"[:READ]).replace("\u2019", "'")


def _ends(whole: str) -> list[int]:
    """Return where clauses end, behind what parts them."""
    return [match.end() for match in _CLAUSES.finditer(whole)]
