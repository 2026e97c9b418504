"""Danger to people, property or others' data, and a near deadline, are urgent in each language."""

import pytest

from tasks.mail.classify.urgent import could_be_urgent, is_urgent

DANGERS = [
    "hi, the charger is smoking and smells burnt, what should i do? ana",
    "sparks come out of the charger when i plug it in. can i still use it?",
    "your charger caught fire in our office last night",
    "In the portal I can see the invoices of other customers, with names and addresses.",
    "There is a burning smell from the case.",
    "I got an electric shock from the transmitter.",
    "The battery of my headset is swollen.",
    "A swollen battery, is that normal?",
    "the charging case gets hot and smells",
    "White smoke came out of the plug.",
    "The adapter melted onto the table.",
    "it burned my hand",
    "The receiver exploded in the drawer.",
    "I was sent another customer's invoice with bank details.",
    "I logged in and saw somebody else's orders.",
    "Our guest was injured by the stand.",
    "My son swallowed the ear tip.",
    "The battery is leaking.",
    "It gave me a shock when I touched it.",
    "the plug is so hot that I cannot hold it",
    "Das Ladegerät raucht und riecht verbrannt, was soll ich tun?",
    "Aus dem Stecker kommen Funken.",
    "Ich habe einen Stromschlag bekommen.",
    "Der Akku ist aufgebläht.",
    "Es gibt Brandgeruch im Raum.",
    "Das Netzteil ist durchgeschmort.",
    "Im Portal sehe ich die Rechnungen anderer Kunden.",
    "Ich habe eine fremde Rechnung bekommen.",
    "Meine Kollegin hat sich am Gehäuse die Hand verbrannt.",
    "Le chargeur fume et sent le brûlé, que dois-je faire ?",
    "Il y a des étincelles à la prise.",
    "J'ai reçu une décharge électrique.",
    "La batterie est gonflée.",
    "Le boîtier a pris feu.",
    "Je vois les factures d'autres clients.",
    "El cargador echa humo.",
    "Huele a quemado.",
    "Saltan chispas del enchufe.",
    "La batería está hinchada.",
    "Veo las facturas de otros clientes.",
    "El aparato se incendió anoche.",
    "Il caricatore fuma.",
    "C'è odore di bruciato.",
    "Ho preso la scossa.",
    "La batteria è gonfia.",
    "Vedo le fatture di altri clienti.",
    "O carregador está a deitar fumo.",
    "Cheira a queimado.",
    "Apanhei um choque.",
    "A bateria está inchada.",
    "Vejo as faturas de outros clientes.",
    "De lader rookt.",
    "Het ruikt verbrand.",
    "Er komen vonken uit de stekker.",
    "De accu is opgezwollen.",
    "Ik zie de facturen van andere klanten.",
    "Ładowarka dymi.",
    "Śmierdzi spalenizną.",
    "Z gniazdka lecą iskry.",
    "Bateria spuchła.",
    "Widzę faktury innych klientów.",
]
HARMLESS = [
    "You guys are on fire, great support!",
    "Our sales are on fire this month.",
    "The sound blew my mind.",
    "We ran a smoke test of the portal.",
    "Is smoking allowed on the boat?",
    "Do you rent smoke machines?",
    "The smoke detector in the hall is white.",
    "This sparks joy.",
    "Your talk sparked interest among our guides.",
    "I was shocked at the price.",
    "I got a shock when I saw the bill.",
    "One burning question: when are you open?",
    "Can the charger catch fire?",
    "Could it explode if I leave it plugged in?",
    "What should I do if it starts smoking?",
    "There is no smoke and no burning smell.",
    "The demand exploded last year.",
    "Do you sell spark plugs?",
    "Does the case have shock absorbers?",
    "Can I see orders of other users in the admin view?",
    "Our colleague smokes.",
    "How do I prevent the battery from leaking?",
    "Wir sind Feuer und Flamme für die neuen Geräte.",
    "Die rote Lampe brennt dauernd.",
    "Brauche ich einen Rauchmelder?",
    "Mein Mann raucht auf dem Balkon.",
    "Mir raucht der Kopf.",
    "Es riecht nicht verbrannt.",
    "L'ambiance était en feu hier soir.",
    "Mon mari fume.",
    "Au fond de la valise il y a une étiquette.",
    "Los precios han explotado.",
    "Mio marito fuma.",
    "Mijn man rookt.",
    "Lampka pali się na zielono.",
]
DEADLINES = [
    "We need it back by tomorrow morning.",
    "Please answer by noon today.",
    "I must have the sets before tonight.",
    "The deadline is tomorrow.",
    "Wir brauchen das Angebot bis morgen früh.",
    "Bitte spätestens heute.",
    "Il nous faut le devis avant ce soir.",
    "Lo necesitamos antes de mañana.",
    "Ci serve entro domani.",
    "Precisamos disso até amanhã.",
    "We hebben het uiterlijk morgen nodig.",
    "Potrzebujemy tego do jutra.",
]
CALM = [
    "Can I return it until tomorrow?",
    "See you tomorrow.",
    "Bis morgen!",
    "Are you open tomorrow until noon?",
    "Do you deliver by tomorrow if I order today?",
    "Bis heute ging alles gut.",
    "À demain !",
    "We met today and liked it.",
    "We need twelve sets in May.",
    "Hasta mañana.",
    "Tot morgen!",
]


NEARER = [
    "Our event starts in two hours and none of the receivers work.",
    "L'evento inizia tra un'ora e niente funziona.",
    "L'evento inizia tra due ore e nessun ricevitore funziona.",
    "The sets have not arrived and the gala is tonight.",
    "Heute Abend ist unsere Gala, und es fehlen zwei Sender, nichts geht.",
    "La boda es mañana y falta un emisor, no funciona nada.",
    "Aus dem Ladekoffer sprühen Funken.",
    "Me ha dado una descarga al tocar la maleta.",
    "No portal vejo as faturas de outros clientes.",
    "There is a sharp chemical smell from the battery.",
    "Il y a une odeur chimique près de la batterie.",
    "One of the power banks is swelling up, is that normal?",
    "Die Powerbank ist aufgebläht.",
    "La power bank s'est gonflée.",
]
WITHOUT_DANGER = [
    "Is the case fire-proof?",
    "Rauchen ist im Depot verboten, oder?",
    "We rent to a fire brigade. What does a set cost?",
    "Ist das Material feuerfest?",
    "¿Está prohibido fumar en el depósito?",
    "Our show was on fire, what does a second set cost?",
    "The whole evening was absolutely on fire.",
]


@pytest.mark.parametrize("text", NEARER)
def test_an_event_of_today_and_rarer_words_of_danger_are_urgent(text: str) -> None:
    """Where it fails today, or something smells, somebody has to hear of it."""
    assert is_urgent(text, "") is not None


@pytest.mark.parametrize("text", WITHOUT_DANGER)
def test_words_of_fire_where_none_burns_do_not_press(text: str) -> None:
    """Neither the words alone nor the model's opinion of them make such mail urgent."""
    assert is_urgent(text, "") is None
    assert not could_be_urgent(text, "")


@pytest.mark.parametrize("text", [*DANGERS, *DEADLINES])
def test_danger_and_a_near_deadline_are_urgent(text: str) -> None:
    """Whoever tells of it is heard, in every language, and the words that say so are named."""
    assert is_urgent(text, "Question")


@pytest.mark.parametrize("text", [*HARMLESS, *CALM])
def test_figures_of_speech_questions_and_leave_taking_are_not(text: str) -> None:
    """The same words where nothing is in danger and nothing is due are not urgent."""
    assert is_urgent(text, "Question") is None
