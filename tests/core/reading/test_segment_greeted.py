"""Letters that are quoted without an introduction, and what only looks like a letter's head."""

import pytest

from tasks.mail.read import read_mail

ANSWER = "In-Reply-To: <o@o.example>\n"


def new_of(body: str, head: str = "", subject: str = "Chairs") -> str:
    """Return the new words of a mail of Ana Berg, on one line."""
    raw = (
        f"From: Ana Berg <ana@x.example>\nTo: desk@o.example\nSubject: {subject}\n{head}"
        f"Content-Type: text/plain; charset=utf-8\n\n{body}"
    )
    return " ".join(read_mail(raw.encode()).segments.new.split())


@pytest.mark.parametrize(
    ("own", "letter"),
    [
        ("Yes, the blue one.", "Hello Ana,\n\nthe blue one or the green?\n\nKind regards\nDesk"),
        ("Am Freitag bitte.", "Sehr geehrte Frau Berg,\n\nwann sollen wir liefern?\n\nIhr Team"),
        ("Oui, merci.", "Bonjour Ana,\n\nfaut-il l'envoyer ?\n\nCordialement\nDesk"),
        ("Tak, proszę.", "Dzień dobry Ana,\n\nczy wysłać?\n\nPozdrawiam\nDesk"),
    ],
)
def test_a_letter_that_greets_the_sender_is_one_to_him(own: str, letter: str) -> None:
    """Nobody greets himself; in mail that answers nothing it may be a text to be looked at."""
    assert new_of(f"{own}\n\n{letter}", ANSWER) == own
    assert new_of(f"{own}\n\n{letter}") != own


@pytest.mark.parametrize("greeting", ["Dear Tom,", "Hello all,", "Ana is my name", "Hi Ana?"])
def test_a_greeting_of_another_person_begins_no_letter_to_the_sender(greeting: str) -> None:
    """Who dictates a text to be passed on greets somebody else."""
    body = f"Yes. Please write this:\n\n{greeting}\n\nthe blue one is fine, said the desk."
    assert "the blue one is fine" in new_of(body, ANSWER)


@pytest.mark.parametrize(
    "table",
    [
        "From: Oslo\nTo: Bergen\nDate: 3 November 2026\nPeople: 2",
        "De : Oslo\nÀ : Bergen\nDate : 3 novembre 2026",
        "Von: Oslo\nNach: Bergen\nAn: Familie Berg\nDatum: 3.11.2026",
        "Von: 3.11. 10:00\nBis: 5.11. 12:00\nAn: Hotel Kern\nDatum: November",
        "From: Oslo\nTo: Bergen\nDate: 3 November 2026, 10:00",
        "Od: Zagreb\nDo: Split\nDatum: 3.11.2026\nZa: 2 osobe",
    ],
)
def test_a_journey_is_no_head_of_a_letter(table: str) -> None:
    """A head has a subject, an address or a time of day."""
    body = f"Hello,\n\nI would like to book:\n\n{table}\n\nIs that possible?"
    assert new_of(body).endswith("Is that possible?")
    head = "From: Desk\nSent: Monday, November 2, 2026 10:11 AM\nTo: Ana Berg"
    assert new_of(f"Ok.\n\n{head}\n\nShall we?", ANSWER) == "Ok."


def test_marks_of_direction_hide_no_attribution() -> None:
    """Programs put them around the address in Hebrew and Arabic, and behind the colon."""
    line = "בתאריך יום ב׳, 2 בנוב׳ 2026 ב-10:11 מאת Desk <\u202adesk@o.example\u202c\u200f>:\u202c"
    assert new_of(f"כן, תודה.\n\n{line}\n\n> לשלוח?", ANSWER) == "כן, תודה."


@pytest.mark.parametrize(
    "labels",
    [
        ("寄件者", "寄件日期", "收件者", "主旨"),
        ("Od", "Poslano", "Za", "Zadeva"),
        ("От", "Изпратено", "До", "Относно"),
        ("من", "تم الإرسال", "إلى", "الموضوع"),
        ("מאת", "נשלח", "אל", "נושא"),
        ("Từ", "Đã gửi", "Đến", "Chủ đề"),
        ("De", "Enviat", "Per a", "Assumpte"),
        ("Nuo", "Išsiųsta", "Kam", "Tema"),
        ("Saatja", "Saadetud", "Adressaat", "Teema"),
        ("จาก", "ส่ง", "ถึง", "เรื่อง"),
        ("Dari", "Dikirim", "Kepada", "Subjek"),
    ],
)
def test_heads_of_letters_in_further_languages(labels: tuple[str, ...]) -> None:
    """Outlook writes the head of a letter in the language of whoever answers."""
    values = ("Desk <desk@o.example>", "2. 11. 2026 10:11", "Ana Berg", "Chairs")
    head = "\n".join(f"{label}: {value}" for label, value in zip(labels, values, strict=True))
    assert new_of(f"OK.\n\n{head}\n\nShall we?", ANSWER) == "OK."
