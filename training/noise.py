"""What hurried people do to text, from a seeded source of chance."""

import random
import unicodedata

SHORTHAND = {
    "en": {
        "please": "pls",
        "you": "u",
        "are": "r",
        "your": "ur",
        "because": "cuz",
        "thanks": "thx",
        "tomorrow": "tmrw",
        "message": "msg",
        "and": "&",
        "with": "w/",
        "about": "abt",
    },
    "de": {
        "und": "u",
        "nicht": "nich",
        "ein": "n",
        "bitte": "bidde",
        "vielleicht": "vllt",
        "mit": "m",
        "habe": "hab",
        "danke": "thx",
    },
    "fr": {
        "que": "q",
        "vous": "vs",
        "pour": "pr",
        "merci": "mci",
        "toujours": "tjs",
        "beaucoup": "bcp",
        "quand": "qd",
        "c'est": "c",
    },
    "es": {
        "que": "q",
        "por": "x",
        "porque": "xq",
        "también": "tb",
        "gracias": "grax",
        "mensaje": "msj",
        "para": "pa",
    },
    "it": {
        "che": "ke",
        "non": "nn",
        "per": "x",
        "perché": "xke",
        "comunque": "cmq",
        "grazie": "grz",
        "con": "cn",
    },
}


def _typo(word: str, chance: random.Random) -> str:
    if len(word) < 4:
        return word
    at = chance.randrange(1, len(word) - 1)
    kind = chance.randrange(3)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at] + word[at:]


def without_accents(text: str) -> str:
    """`text` as typed on a keyboard without accents."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(letter)
    )


def roughened(text: str, manner: str, language: str, chance: random.Random) -> str:
    """`text` as someone of this manner (`formal`, `plain`, `brief`, `sms`, `loud`) types it."""
    rate = {"formal": 0.002, "plain": 0.012, "brief": 0.02, "sms": 0.05, "loud": 0.03}[manner]
    short = SHORTHAND.get(language, {}) if manner == "sms" else {}
    words = []
    for word in text.split(" "):
        if chance.random() < rate:
            word = _typo(word, chance)
        words.append(short.get(word.lower(), word) if short and chance.random() < 0.6 else word)
    text = " ".join(words)
    if manner in {"sms", "brief"} and chance.random() < 0.6:
        text = text.lower()
    if manner == "sms" and chance.random() < 0.5:
        text = text.replace(".", "").replace(",", "")
    if manner in {"sms", "brief"} and language != "en" and chance.random() < 0.3:
        text = without_accents(text)
    if manner == "loud":
        if chance.random() < 0.3:
            text = text.upper()
        text = text.replace(".", "!" * chance.randint(1, 3)).replace(
            "?", "?" * chance.randint(1, 3)
        )
    return text
