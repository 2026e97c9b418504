# ruff: noqa: E501 -- a pattern reads best on one line
"""Words that tell of danger to people, property or the data of others.

Words are read clause by clause and in the indicative: a thing that *smokes* is in danger, one that
*could* is a question, and a *smoke test*, a team *on fire* or a shock at a price are none.
"""

import re2

from data.word_forms import strip_accents
from tasks.core.patterns import compiled

_MEMORY = 64 << 20
"""Bytes that an automaton may use: the patterns are long."""

_THING = (
    r"(?:it|this|one|charger|charging case|case|battery|device|plug|adapter|adaptor|power supply|unit|transmitter|receiver|"
    r"headset|headphones?|cable|socket|machine|motor|engine|laptop|phone|heater|oven|lamp|set|box|pack|bike|scooter|toy|kettle|"
    r"pump|boiler|screen|printer|amplifier|speaker|product|item|thing|they|stations?|chargers|batteries|receivers|lamps)"
)
_OTHERS = (
    # English
    r"\b(?:see|saw|seeing|view|viewing|access|open|opened|shows?|showed|showing|displays?|displayed|received|got|sent|find|found|contains?|download|downloaded|attached|get|gets|listed)\b.{0,60}\b(?:of|from|belonging to|for) (?:some )?(?:other|another|different|someone else|somebody else|strangers|a stranger)\b",
    r"\b(?:other|another|different) (?:customer|client|user|person|people|patient|guest|guests|member|compan(?:y|ies))(?:'s|s'|s)? (?:\pL+ ){0,2}(?:data|invoices?|orders?|details|names|address|addresses|accounts?|bookings?|profiles?|documents?|files)\b",
    r"\b(?:someone|somebody|stranger|another customer|another person) ?(?:else)?'s (?:\pL+ ){0,2}(?:data|invoices?|orders?|details|names?|address|addresses|accounts?|bookings?|profiles?|documents?|passport|files)\b",
    r"\b(?:data|details|passwords?|addresses|records) (?:\pL+ ){0,4}(?:leaked|exposed|publicly (?:visible|accessible|available))\b",
    r"\b(?:invoices?|lists?|documents?|contracts?|files?|addresses|data|details|bookings?|orders?) (?:of|from|belonging to) (?:an ?other|another|a different|other|some other) (?:compan(?:y|ies)|customers?|clients?|persons?|people|guests?|school|museum)\b.{0,30}\b(?:was|were|is|are|came|arrived|attached|enclosed|in)\b",
    # deutsch
    r"\b(?:rechnung(?:en)?|kundenliste|liste|unterlagen|vertrag|daten|buchung(?:en)?|adressen|bestellung(?:en)?) (?:eines|einer) (?:anderen|fremden) (?:kund\pL+|firma|unternehmens|person|schule|museums|gast\pL*)\b",
    r"\b(?:daten|rechnung(?:en)?|adressen|bestellung(?:en)?|namen|konten|konto|kontodaten|profile?|buchung(?:en)?|unterlagen)\b.{0,12}\b(?:anderer|anderen|fremder|fremden) (?:kund\pL+|nutzer\pL*|person\pL*|leute\pL*|firm\pL+|mensch\pL*|patient\pL*|gast|gäste\pL*|teilnehmer\pL*)\b",
    r"\bfremde[nrsm]? (?:rechnung\pL*|daten|adresse\pL*|bestellung\pL*|konto|konten|kontos|kundendaten|profil\pL*|buchung\pL*)\b|\bdaten(?:leck|panne)\b",
    # français
    r"\b(?:factures?|données|adresses?|commandes?|noms|coordonnées|comptes?|dossiers?)\b.{0,25}\b(?:d'autres|des autres|d'un autre|d'une autre|de tiers|d'inconnus)\b|\bfuite de données\b",
    # español
    r"\b(?:facturas?|datos|direcciones|pedidos?|nombres|cuentas?|reservas?)\b.{0,25}\bde (?:otros?|otras?|terceros|un desconocido)\b|\b(?:fuga|filtración) de datos\b",
    # italiano
    r"\b(?:fatture?|dati|indirizzi|ordini|nomi|account|prenotazioni)\b.{0,25}\bdi (?:altri|altre|un altro|un'altra|sconosciuti|terzi)\b|\b(?:fuga|violazione) (?:di|dei) dati\b",
    # português
    r"\b(?:faturas?|dados|moradas|endereços|encomendas?|nomes|contas?|reservas?)\b.{0,25}\bde (?:outros?|outras?|terceiros|um desconhecido)\b|\b(?:fuga|vazamento) de dados\b",
    # nederlands
    r"\b(?:facturen|factuur|gegevens|adressen|bestelling(?:en)?|namen|accounts?|boekingen)\b.{0,12}\bvan (?:andere|een andere|anderen|iemand anders|vreemden)\b|\bdatalek\b",
    # polski
    r"\b(?:faktur[yę]|dane|adresy|zamówieni[ae]|nazwiska|kont[ao])\b.{0,12}\b(?:innych|innego|innej|obcych|cudze)\b|\bwyciek\pL* danych\b",
)
"""Data of others that somebody sees or was sent."""

_HAZARDS = (
    # English
    rf"\b{_THING}(?:'s| is| are| was| were| has been| keeps?| kept| started| starts| began| begins)?(?: \pL+)? (?:smoking|smouldering|smoldering|sparking|burning(?: hot)?|melting|overheating|exploding|sizzling)\b",
    rf"\b{_THING} (?:has |have |had |just |suddenly |almost |nearly )*(?:smokes?|smoked|sparks|sparked|burns|melts|melted|exploded|explodes|overheats|overheated)\b",
    r"\bsmoke\b.{0,15}\b(?:comes?|came|coming|rises?|rising|rose|pours?|pouring|poured|out of|from|inside)\b|\b(?:saw|see|seeing|smell|smelled|smelt|there (?:is|was|were)|emit\pL*|giving off|gives? off|gave off|produc\pL+|puffs? of|clouds? of) (?:some |a lot of |lots of |the |white |black |grey |gray )*smoke\b",
    r"\b(?:smell|smells|smelled|smelt|smelling|stinks?|reeks?)\b.{0,20}\b(?:burnt|burned|burning|scorched|smoke|smoky|gas|melted|melting|hot plastic|plastic)\b|\b(?:burnt|burned|burning|scorched|smoky|electrical) (?:\pL+ )?(?:smell|odou?r|stench)\b|\bsmell of (?:\pL+ )?(?:burning|smoke|gas|plastic)\b|\bhot and (?:\pL+ )?smells?\b",
    r"\bsparks?\b.{0,12}\b(?:come|comes|came|coming|fly|flies|flew|flying|out of|from|shoot|shot|jump\pL*)\b|\b(?:makes?|made|making|throws?|threw|throwing|gives? off|gave off|giving off|saw|see|there (?:are|were|was)|emit\pL*) (?:some |a |big |blue |little |small |lots of )*sparks?\b",
    r"\belectric(?:al)? shocks?\b|\belectrocut\pL+\b|\b(?:got|get|gets|getting|gave|gives|giving|received|receive) (?:me |us |him |her |my \pL+ |our \pL+ |a guest |people |everyone )?(?:a |an |small |big |nasty |slight |mild |strong )*(?:shocks?|zap|jolt)\b(?:$|.{0,4}\b(?:from|when (?:i|we|he|she|you) (?:touch|plug|hold|held|grab|pick)\pL*|through|of electricity|by)\b|\W*$)|\b(?:shocked|zapped) (?:me|us|him|her|my \pL+) (?:when|while|through|as|twice|again)\b|\b(?:it|charger|case|plug|cable|device) (?:shocked|zapped|shocks|zaps) (?:me|us|him|her|my|people|everyone)\b|\bunder current\b|\blive wires?\b|\bbare wires?\b",
    r"\b(?:power ?banks?|battery (?:packs?|cells?)|cells?|accumulators?)\b.{0,20}\b(?:swell\pL*|swollen|swelled|bulg\pL+|bloat\pL+|puff\pL+|ballooned|leak(?:s|ed|ing)|burst|expand(?:ed|ing))\b|\bpower ?banks?\b.{0,30}\b(?:aufgebläht|bläht|aufgequollen|gewölbt|wölbt|dick geworden|gonfl\pL+|hinch\pL+|abombad\pL+|gonfi\pL*|inchad\pL|opgezwollen|gezwollen|spuch\pL+|napuch\pL+)",
    r"\bbatter(?:y|ies)\b.{0,30}\b(?:swell\pL*|swollen|swelled|bulg\pL+|bloat\pL+|leak(?:s|ed|ing)|explod(?:ed|ing|es)|expand(?:ed|ing)|puffed|puffy|puffing|burst|ballooned|inflated|on fire)\b|\b(?:swollen|swelling|bulging|bloated|leaking|leaky|exploded|burst|puffed|puffy|expanding) (?:\pL+ ){0,2}(?:batter(?:y|ies)|cells?|pack)\b",
    r"\b(?:caught|catches|catching|on) fire\b|\b(?:in|burst into|went up in) flames\b|\bflames? (?:came|come|coming|shot|from|out)\b|\bset (?:\pL+ ){0,3}(?:on fire|alight|ablaze)\b|\b(?:too|so) hot (?:to (?:touch|hold)|that)\b|\bburn(?:ed|t) (?:my|her|his|their|our|himself|herself|myself) ?(?:hands?|fingers?|skin|ears?|face|arms?|desk|table|bed|carpet|floor|thumb|leg|neck|$)|\b(?:scorch|burn) marks?\b|\b(?:charger|plug|cable|case|socket|adapter|plastic|housing) (?:\pL+ )?(?:melted|is melting|has melted|melts)\b",
    r"\b(?:was|were|got|been|is|are) (?:badly |slightly |seriously )?(?:injured|electrocuted|poisoned|hurt by|unconscious|bleeding)\b|\b(?:taken|rushed|went) to (?:the )?hospital\b|\ballergic reaction\b|\b(?:swallowed|choked on|choking on|is choking)\b|\bcarbon monoxide\b|\bcut (?:my|his|her|their) (?:hands?|fingers?|thumb|arm|lip)\b|\bgas (?:is )?(?:leak\pL*|escap\pL+|comes? out)\b",
    # a smell of what leaks from something with a battery, in all languages
    r"\b(?:chemical|acrid|toxic|pungent|chemisch\pL*|beißend\pL*|stechend\pL*|chimique|âcre|químic\pL|chimic\pL|chemiczn\pL+|gryząc\pL+) (?:\pL+ )?(?:smell|odou?r|fumes|stench|geruch|gestank|geur|lucht|zapach)\b.{0,40}\b(?:batter|batterij|akku|accu|charg|lade|nabíj|bateri|akumulator|ładowar)|\b(?:odeur|olor|odore|cheiro|zapach) (?:\pL+ )?(?:chimique|âcre|químic\pL|chimic\pL|chemiczn\pL+|tóxic\pL|tossic\pL)\b.{0,40}\b(?:batter|bater|accu|charg|carg|carreg|caric|ładowar|akumulator)",
    # deutsch
    r"\b(?:raucht|rauchte|qualmt|qualmte|schmort|schmorte|kokelt|glüht|glühte|explodiert|explodierte|geschmolzen|schmilzt|brennt|brannte|entzündet)\b|\b(?:fing|fängt|fangen)\b.{0,25}\b(?:zu (?:rauchen|qualmen|brennen)|feuer|an zu)\b",
    r"\b(?:riecht|roch|riechen|stinkt|stank|stinken)\b.{0,20}\b(?:verbrannt\pL*|verschmort|angebrannt|angeschmort|brenzlig|nach (?:rauch|gas|plastik|kabel|verbrannt\pL*))\b|\b(?:brand|rauch|schmor|gas)geruch\b|\b(?:verbrannte[rnms]?|brenzlige[rnms]?|verschmorte[rnms]?) (?:geruch|gestank)\b|\brauch\b.{0,15}\b(?:kommt|kam|steigt|stieg|aus|quillt)\b|\b(?:kommt|kam|steigt|stieg|quillt)\b.{0,15}\brauch\b|\brauchentwicklung\b",
    r"\bfunken\b.{0,15}\b(?:sprüh\pL+|schl\pL+|komm\pL+|kam\pL*|flieg\pL+|flog\pL*|aus)\b|\b(?:sprüh\pL*|schlägt|schlug|kommen|kamen|fliegen|flogen|gibt es|gab es|schlagen)\b.{0,20}\bfunken\b|\bfunkenflug\b|\bfunkt es\b.{0,20}\b(?:stecke\pL*|lade\pL*|dose|kabel)",
    r"\bstrom(?:schlag|stoß|schläge)\b|\belektrische[rn]? schlag\b|\beinen schlag (?:bekomm\pL+|gekriegt|erhalten|versetzt)\b|\b(?:eine|eins) gewischt\b|\bunter strom\b",
    r"\b(?:akku\pL*|batterie\pL*|zelle)\b.{0,30}\b(?:aufgebläht|bläht|aufgequollen|gequollen|quillt|ausgelaufen|läuft aus|laufen aus|explodiert|dick geworden|gewölbt|wölbt|ausgebeult|geplatzt|brennt|verformt)\b|\b(?:aufgebläht|ausgelaufen|aufgequollen|geplatzt|ausgebeult)e[rnms]? (?:akku\pL*|batterie\pL*)\b",
    r"\bin brand (?:geraten|gesteckt|gesetzt)\b|\bfeuer gefangen\b|\bin flammen\b|\b(?:hand|hände|finger|haut|arm|ohr|tisch|teppich)\b.{0,12}\b(?:verbrannt|verbrüht|geschnitten)\b|\bzu heiß zum anfassen\b|\bbrand(?:spuren|fleck\pL*)\b|\b(?:durchgeschmort|verschmort|angeschmort)\b|\b(?:mich|sich|hat sich|wurde|wurden|jemand|person|kind|gast|mitarbeiter\pL*)\b.{0,25}\b(?:verletzt|vergiftet|bewusstlos)\b|\bkrankenhaus (?:gebracht|gefahren|eingeliefert)\b|\ballergische\pL* reaktion\b|\bgas tritt aus\b|\bgas (?:strömt|entweicht)\b",
    # français
    r"\b(?:fume|fumait|fument|crame|crépite|brûle|brûlait|brûlent|fond|surchauffe|explose|a explosé|ont explosé|a fondu|a cramé|a grillé en fumant)\b",
    r"\b(?:sent|sentait|sentent)\b.{0,12}\b(?:brûlé|roussi|cramé|gaz|fumée|plastique)\b|\bodeur\b.{0,12}\b(?:brûlé|roussi|cramé|gaz|fumée|plastique)\b|\bfumée\b.{0,15}\b(?:sort|sortait|s'échappe|qui|blanche|noire)\b|\b(?:dégage|sort|sortait|s'échappe|y a|avait)\b.{0,10}\bfumée\b|\bétincelles?\b|\b(?:décharge|choc) électrique\b|\b(?:pris|reçu|recu) (?:une décharge|un coup de jus|le courant)\b|\bélectrocut\pL+\b",
    r"\b(?:batteries?|piles?|accus?)\b.{0,25}\b(?:gonfl\pL+|fui\pL*|coul\pL+|explos\pL+|éclat\pL+)\b|\b(?:a|ont|est|prend|prit) (?:pris )?(?:feu|en flammes)\b|\ben (?:feu|flammes)\b|\bme suis (?:brûlé\pL*|blessé\pL*|coupé\pL*)\b|\bs'est (?:brûlé\pL*|blessé\pL*|coupé\pL*|électrocuté\pL*)\b|\b(?:brûlé|brûlée) (?:à )?(?:la main|le doigt|les doigts|aux doigts)\b|\btrop chaud pour (?:le |la )?(?:toucher|tenir)\b|\bréaction allergique\b|\ba été blessé\pL*\b",
    # español
    r"\b(?:echa|echaba|echando|sale|salía|salen|saliendo|suelta|soltando|despide|hay|hace)\b.{0,8}\b(?:humo|chispas|llamas)\b|\bhumea\pL*\b|\b(?:huele|olía|oler)\b.{0,12}\b(?:quemado|humo|gas|plástico|chamuscado)\b|\bolor a (?:quemado|humo|gas|plástico|chamuscado)\b|\b(?:saltan|saltaron|salta|saltó)\b.{0,8}\bchispas?\b|\bchispea\b|\bdescarga eléctrica\b|\b(?:da|dado|dio|recibí|recibió|recibido|sentí) (?:una |un )?(?:descarga|corrientazo|chispazo)\b|\bcalambre\b|\belectrocut\pL+\b",
    r"\b(?:batería|baterías|pila|pilas)\b.{0,25}\b(?:hinch\pL+|inflad\pL+|abombad\pL+|derram\pL+|explot\pL+|revent\pL+|gote\pL+|pierde líquido)\b|\b(?:se )?(?:incendió|incendiaron|ha incendiado|prendió fuego|prendieron fuego|está ardiendo|arde|ardió|en llamas)\b|\b(?:ha explotado|explotó|se derrite|se derritió|se ha derretido|se está derritiendo)\b|\bme (?:he quemado|quemé|he cortado|corté|dio un calambre|ha dado calambre)\b|\bquema al (?:tocar\pL*|cogerl\pL)\b|\breacción alérgica\b|\bresultó herid\pL\b",
    # italiano
    r"\b(?:fuma|fumava|fumano)\b|\b(?:esce|usciva|escono|emette|fa)\b.{0,8}\b(?:fumo|scintille|fiamme)\b|\bfumo (?:esce|dal|dalla|dall)\b|\b(?:odore|puzza|puzzo|sa|odora) di (?:bruciato|gas|fumo|plastica)\b|\bscintill\pL+\b|\b(?:scossa|scosse) elettric\pL+\b|\b(?:preso|dato|prendo|dà|da) (?:la|una) scossa\b|\bfolgorat\pL\b",
    r"\bbatteri[ae]\b.{0,25}\b(?:gonfi\pL*|perd\pL+ liquido|esplos\pL|scoppiat\pL|rigonfi\pL*)\b|\b(?:ha|hanno|è|sta) (?:preso|prendendo|andat\pL a) fuoco\b|\bprende fuoco\b|\bin fiamme\b|\bva a fuoco\b|\bè esplos\pL\b|\bsi (?:è sciolt\pL|sta sciogliendo|scioglie)\b|\bmi sono (?:bruciat|ustionat|ferit|tagliat)\pL\b|\bscotta (?:troppo|al tatto|tanto)\b|\breazione allergica\b",
    # português
    r"\b(?:sai|saía|saindo|a sair|deita|a deitar|deitou|solta|soltou|soltando|faz|fez)\b.{0,8}\b(?:fumo|fumaça|faíscas|faísca|chamas)\b|\b(?:cheira|cheirava|cheiro)\b.{0,8}\b(?:queimado|fumo|fumaça|gás|plástico)\b|\bfaíscas\b|\bchoque elé(?:c)?trico\b|\b(?:apanhei|levei|deu-me|dá|deu) (?:um )?choques?\b|\beletrocut\pL+\b",
    r"\b(?:bateria|baterias|pilha|pilhas)\b.{0,25}\b(?:inchad\pL|inchou|inchar\pL*|insuflad\pL|vaz\pL+|explodi\pL+|rebent\pL+|derram\pL+)\b|\b(?:pegou|pegaram|apanhou) fogo\b|\bem chamas\b|\b(?:incendiou|a arder|ardeu|explodiu|derreteu|está a derreter|derretendo)\b|\bqueimei(?:-me| a| o| os)\b|\breação alérgica\b|\bficou ferid\pL\b",
    # nederlands
    r"\b(?:rookt|rookte|smeult|schroeit|vonkt|smelt|gesmolten|ontploft|ontplofte)\b|\bkomt\b.{0,12}\b(?:rook|vonken|vlammen)\b|\brook\b.{0,8}\b(?:uit|komt|kwam)\b|\b(?:ruikt|rook|stinkt|stonk)\b.{0,15}\b(?:verbrand|aangebrand|verschroeid|naar (?:rook|gas|brand|verbrand\pL*|plastic))\b|\b(?:brand|schroei|gas)lucht\b|\bverbrande (?:geur|lucht)\b|\bvonken\b|\b(?:elektrische )?schok (?:gekregen|gehad|van)\b|\bkr(?:eeg|ijg|ijgt|egen) een (?:elektrische |flinke )?schok\b|\bonder stroom\b|\bgeëlektrocuteerd\b",
    r"\b(?:accu|batterij|batterijen|accu's)\b.{0,25}\b(?:opgezwollen|gezwollen|zwelt|bol|bolt|lekt|lekken|opgeblazen|uitgezet|gebarsten)\b|\b(?:gezwollen|opgezwollen|lekkende|bolle) (?:accu\pL*|batterij\pL*)\b|\bvlam gevat\b|\bin brand (?:gevlogen|geraakt)\b|\b(?:staat|stond|vloog|vliegt) in brand\b|\b(?:hand|handen|vinger|vingers|oor)\b.{0,8}\bverbrand\b|\bte heet om\b|\bgewond\b|\ballergische reactie\b",
    # polski
    r"\b(?:dymi|dymił\pL*|dymią|iskrzy|iskrzył\pL*|płonie|płonął|wybuchł\pL*|eksplodował\pL*|stopił\pL*|topi się)\b|\bdym\b.{0,12}\b(?:wydobywa|leci|leciał|unosi|z)\b|\b(?:leci|wydobywa się|unosi się|widać)\b.{0,8}\bdym\b|\b(?:śmierdzi|pachnie|czuć|zapach|smród)\b.{0,15}\b(?:spalenizn\pL+|spalonym|gaz\pL*|dymem|palonym)\b|\biskry\b|\bporażeni\pL+ prądem\b|\b(?:poraził\pL*|kopnął|kopie)\b.{0,8}\bprąd\pL*\b|\bporaził\pL*\b",
    r"\b(?:bateri\pL+|akumulator\pL*)\b.{0,25}\b(?:spuch\pL+|napuch\pL+|wybrzusz\pL+|wyciek\pL*|cieknie|wylał\pL*|pękł\pL*)\b|\b(?:spuchnięt|napuchnięt|wybrzuszon)\pL+ (?:bateri\pL+|akumulator\pL*)\b|\bzapalił\pL* się\b|\b(?:stanęł\pL*|stoi) w (?:ogniu|płomieniach)\b|\bpali się\b|\b(?:poparzył|oparzył|skaleczył|zranił)\pL* (?:się|mnie)\b|\b(?:się|mnie) (?:poparzył|oparzył)\pL*\b|\breakcj\pL+ alergiczn\pL+\b",
    # 日本語, 中文
    r"(?:煙|火花|炎|火)が(?:出て|出た|出ま|で(?:て|た|ま)|上が|散)|発煙|発火し|発火しま|感電し|焦げ(?:臭|くさ|た(?:臭|匂|にお))|(?:電池|バッテリー).{0,6}(?:膨ら|破裂|液漏れ|爆発)|ガス(?:の(?:臭|匂|にお)い|漏れ)|誤飲し|冒烟|冒煙|起火|着火了|爆炸|漏电|漏電|触电|觸電|烧焦|燒焦|冒火花|鼓包|煤气味|瓦斯味",
)
"""What is told of a thing or a person that is in danger."""

_FIGURATIVE = (
    r"\bsmok(?:e|ing)[ -]?(?:tests?|tested|testing|free|signals?|screen|gun|breaks?|area|room|machines?|detectors?|alarms?|allowed|prohibited|permitted)\b|\b(?:no|non|stop|quit|is|allow)[ -]smoking(?: allowed| area|$)|\bsmoked (?:salmon|fish|ham|cheese|glass)\b",
    r"\b(?:you|you guys|team|he|she|they|we|band|crowd|sales|market|party|singer|demand|career|guides?|phones?|inbox|telephone|event|show|concert|gig|evening|audience|performance|atmosphere|everyone|everybody)\b(?:'re|'s| is| are| was| were)? (?:really |all |absolutely |literally )?on fire\b|\bon fire (?:today|lately|this (?:week|season|month|year|quarter)|with (?:ideas|sales))\b|\bset the (?:world|stage|place|room) on fire\b",
    r"\b(?:bl[eo]w|blows|blown|blew) (?:my|our|their|your|the) (?:mind|socks)|\bspark(?:s|ed|ing)? (?:\pL+ )?(?:joy|interest|ideas?|imagination|debate|discussion|conversations?|curiosity|plugs?|creativity)\b|\bsparks? (?:flew|fly|flying) between\b|\bcreative sparks?\b|\bsparkling\b|\bspark plugs?\b",
    r"\bshock(?:ed)? (?:absorbers?|at the|by the|to (?:see|hear|read|learn|find)|when (?:i|we) (?:saw|read|heard|opened|got)|value|proof|of (?:my|our) li\pL+)|\b(?:culture|sticker|price) shock\b|\bgot a shock (?:when|at|from) (?:i |we |the |your |my )?(?:saw|price|bill|invoice|quote|read|opened)|\bshock (?:when|at) .{0,20}\b(?:bill|invoice|price|quote|amount|total)\b",
    r"\bburning to \pL+|\bbleed(?:s|ing)? (?:enthusiasm|passion|money|cash)\b|\bburning (?:questions?|desire|issue|passion|man|cds?|dvds?|discs?|platform|money|cash|calories|fat|hot topic)\b|\bburn(?:s|ed|t|ing)? (?:a hole|through|out|rate|bridges|cash|money|the midnight|calories|a cd|a dvd|cds|discs)\b|\b\bfire[ -]?proof\b|\bfire (?:brigade|department|service|rated|resistant|resistance|sale|drill|safety|alarm|exit|wall|works?|extinguishers?|insurance|regulations?)\b",
    r"\bexplod(?:ed|es|ing) (?:in popularity|with|onto|our|the)\b|\b(?:sales|demand|traffic|numbers|costs?|prices?|orders|popularity|inbox|bookings|interest) (?:has |have |had |just )*explod\pL+\b|\bmelt(?:s|ed)? (?:my|our|your) (?:heart|hearts)\b",
    r"\bswallow(?:ed|ing)? (?:hard|my pride|your pride|the (?:price|cost|bill|news))\b",
    r"\bhot (?:deal|topic|tub|spot|line|dog|chocolate|summer)\b|\bred[- ]hot (?:deals?|offers?|sales?|topics?|favou?rites?|markets?|items?|prices?|chil\pL+|peppers?|pokers?|career|form)\b|\bdata leak(?:age)? (?:prevention|protection|insurance)\b|\bgas (?:plant|works|museum|compan(?:y|ies)|supplier|field|pipeline)\b",
    r"\brauchen\b.{0,20}\b(?:verboten|erlaubt|gestattet|untersagt)\b|\bnichtraucher\pL*|\bfeuer(?:fest|wehr|sicher)\pL*|\b(?:fumer|interdiction de fumer)\b.{0,20}\b(?:interdit|autorisé|permis)\b|\b(?:ignifuge|sapeurs?-pompiers|ignífug\pL|bomberos|ignifug\pL|bombeiros|brandweer|ognioodporn\pL+)\b|\b(?:prohibido|permitido) fumar\b|\bvietato fumare\b|\bproibido fumar\b|\b(?:verboden te roken|rookvrij)\b|\bzakaz palenia\b",
    r"\bfeuer und flamme\b|\b(?:mir|uns|ihm|ihr) brenn(?:t|en)\b.{0,25}\b(?:unter|auf)\b|\bfragen?\b.{0,15}\bbrenn(?:t|en)\b|\bbrenn(?:t|en)\b.{0,10}\bfragen?\b|\bbrennt (?:mir|uns) (?:unter|auf)|\bbrennt (?:darauf|für|das licht|die lampe|noch licht)|\b(?:licht|lampe|lämpchen|led|leuchte|kerze|kerzen|lichter|lampen|dvd|cd|diode|anzeige|neugier\pL*|sonne)\b.{0,30}\bbrennt\b|\b(?:mann|frau|kolleg\pL+|nachbar\pL*|gast|gäste|wer|jemand|niemand|er|sie|fahrer\pL*|vater|mutter|kopf|schädel)\b.{0,12}\b(?:raucht|rauchte|qualmt)\b|\bmir raucht\b|\b(?:rauch|brand)(?:melder|frei|meldeanlage|schutz|wand|neu|aktuell)\pL*|\b(?:umsätze?|nachfrage|preise?|kosten|zahlen|bestellungen)\b.{0,20}\bexplodier\pL+|\bherz schmilzt\b|\bzwischen (?:uns|ihnen) (?:hat es )?gefunkt\b",
    r"\b(?:ambiance|salle|équipe|public|foule|ventes)\b.{0,15}\ben feu\b|\b(?:je|mari|femme|collègue|voisin|voisine|père|mère|qui|personne|client|invité)\b.{0,8}\b(?:fume|fument|brûle)\b|\bbrûle d(?:'|e )\pL+|\bbrûle (?:les étapes|d'envie|de)\b|\bfeux? d'artifice\b|\b(?:ventes|demandes?|prix|coûts)\b.{0,15}\b(?:explos\pL+|flamb\pL+)\b|\bme fend\b|\bfond (?:de|du|sur|en larmes)\b|\bau fond\b|\bà fond\b|\bun fond\b|\ble fond\b",
    r"\bque arde\b|\bque echo? chispas\b|\b(?:estoy|está|están) (?:que )?ech\pL+ chispas\b|\bfuegos artificiales\b|\b(?:ventas|demanda|precios|costes)\b.{0,15}\b(?:explot|dispar)\pL+|\bme (?:derrit\pL+|muero)\b|\bchispa (?:de|adecuada)\b",
    r"\b(?:marito|moglie|collega|vicino|padre|madre|ospite|chi|cliente|nessuno)\b.{0,10}\bfuma\b|\bin fiamme (?:per|di)\b|\bfuochi d'artificio\b|\bscintilla (?:di|creativa)\b|\bscintillant\pL\b|\b(?:vendite|domanda|prezzi)\b.{0,15}\besplos\pL",
    r"\b(?:vendas|procura|preços)\b.{0,15}\bexplodi\pL+|\bfogo de artifício\b|\bem chamas de\b",
    r"\b(?:man|vrouw|collega|buurman|buurvrouw|gast|wie|iemand|niemand|vader|moeder)\b.{0,10}\brookt\b|\b(?:rook|brand)(?:melder|vrij|veilig)\pL*|\bvuurwerk\b|\b(?:verkoop|vraag|prijzen)\b.{0,15}\bontplof\pL+|\bvonken (?:tussen|van)\b|\bgerookte\b",
    r"\b(?:mąż|żona|kolega|sąsiad|sąsiadka|gość|kto|nikt|ojciec|matka)\b.{0,10}\b(?:pali|dymi)\b|\bfajerwerk\pL+|\b(?:sprzedaż|popyt|ceny)\b.{0,15}\b(?:wybuch|eksplod)\pL+|\biskra (?:nadziei|geniuszu)\b|\b(?:lampka|dioda|światło|kontrolka)\b.{0,15}\bpali się\b|\bpali się (?:lampka|dioda|światło|kontrolka)\b",
)
"""The same words where nothing is in danger."""
_UNREAL = (
    r"\b(?:could|can|may|might|would|will|should|must) (?:it|they|this|one|the \pL+|a \pL+)\b|\bwhat (?:if|happens|should|do i do|to do|would)\b.{0,25}\b(?:if|when|in case)\b|\bin case (?:of|it|there)\b|\bhow (?:do|can|should) (?:i|we|you) (?:avoid|prevent|protect|keep|stop|store)\b|\bif it (?:ever|should)\b|\b(?:no|not|never|without|isn't|wasn't|doesn't|didn't|aren't|weren't|nothing|neither|nor)\b(?: \pL+){0,3} ?$",
    r"\bfalls\b|\bwas (?:tun|passiert|wäre),? wenn\b|\b(?:kann|könnte|darf|würde)\b.{0,25}\b(?:rauchen|brennen|explodieren|überhitzen)\b|\b(?:kein\pL*|nicht|nie|ohne|weder)(?: \pL+){0,3} ?$",
    r"\bque faire (?:si|en cas)\b|\ben cas (?:de|d')|\b(?:peut|pourrait)-(?:il|elle)\b|\b(?:ne|pas de|pas d'|aucune?|sans|jamais|plus de)(?: \pL+){0,2} ?$",
    r"\bqué (?:pasa|hago|hacer) si\b|\ben caso de\b|\b(?:puede|podría)\b.{0,20}\b(?:explotar|arder|incendiarse)\b|\b(?:no|ni|sin|nunca|ningun\pL*)(?: \pL+){0,2} ?$",
    r"\bche (?:succede|faccio|fare) se\b|\bin caso di\b|\b(?:non|né|senza|mai|nessun\pL*)(?: \pL+){0,2} ?$",
    r"\bo que (?:acontece|faço|fazer) se\b|\bem caso de\b|\b(?:não|nem|sem|nunca|nenhum\pL*)(?: \pL+){0,2} ?$",
    r"\bwat (?:als|gebeurt er als|moet ik doen als)\b|\bin geval van\b|\b(?:niet|geen|nooit|zonder)(?: \pL+){0,2} ?$",
    r"\bco (?:jeśli|zrobić gdy)\b|\bw razie\b|\b(?:nie|bez|nigdy|żadn\pL+)(?: \pL+){0,2} ?$",
)
"""Words before it with which it is asked about, supposed or denied."""


def _any(patterns: tuple[str, ...], flags: str = "i") -> re2._Regexp:
    return compiled(f"(?{flags})(?:" + strip_accents("|".join(patterns)) + ")", _MEMORY)


_DANGER = _any((*_HAZARDS, *_OTHERS), "im")
"""The ends of lines are those of a clause, of which several may be searched at once."""
_FIGURE = _any(_FIGURATIVE)
_SUPPOSED = _any(_UNREAL)
_DENIED = compiled(r"(?i)\b(?:not|no|nicht|kein\pL*|pas|non|nao|niet|geen|nie)\b")
"""What denies within the words that tell of it: *riecht nicht verbrannt*."""
_ASKED = compiled(
    r"(?i)^\W*(?:can|could|may|might|how|is it possible|do|does|would|will|kann|können|darf|wie|puis-je|peut-on|comment|puedo|se puede|cómo|posso|come|posso|como|kan|mag|hoe|czy mogę|jak)\b"
)
_SEEN_OTHERS = _any(_OTHERS)


_IN_THE = re2.compile(
    r"(?i)\bno (?:portal|site|sistema|aplicativo|meu|vosso|nosso|seu|teu|e-mail|documento|ficheiro|arquivo|carregador|estojo)\b"
)
"""The Portuguese *in the*, which is no denial."""


def is_figurative(text: str) -> bool:
    """Return whether a text without accents uses words of danger where nothing is in danger."""
    return _FIGURE.search(text) is not None


def may_tell_danger(lines: str) -> bool:
    """Return whether any of several clauses without accents, a line each, may tell of danger."""
    return _DANGER.search(lines) is not None


def danger_in(clause: str) -> tuple[int, int] | None:
    """Return where a clause without accents tells of danger, start and end; None when nowhere."""
    match = _DANGER.search(clause)
    if match is None or _FIGURE.search(clause) is not None:
        return None
    if _SUPPOSED.search(_IN_THE.sub("", clause[: match.start()])) or _DENIED.search(match.group()):
        return None
    if _ASKED.search(clause) is not None and _SEEN_OTHERS.search(clause) is not None:
        return None
    return match.start(), match.end()
