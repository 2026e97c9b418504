"""Sentences of replies with and without a secret; the half that the scanner's rules were made with.

Everything is drawn from a generator, so no value is anybody's. `hidden` gives those that must not
leave, `plain` those that look like them and may.
"""

import random
import string
from collections.abc import Callable, Iterator

HEX, ALNUM = "0123456789abcdef", string.ascii_letters + string.digits
OURS = "DE75512108001245126199"
"""The account number of the organization, which its policy's lines hold."""


def of(rng: random.Random, letters: str, size: int) -> str:
    """Return that many letters."""
    return "".join(rng.choice(letters) for _ in range(size))


def digits(rng: random.Random, size: int) -> str:
    """Return a number of that length without a leading zero."""
    return rng.choice("123456789") + of(rng, string.digits, size - 1)


def card(rng: random.Random, first: str = "4", size: int = 16) -> str:
    """Return a number of a payment card (ISO/IEC 7812-1), its check digit right."""
    body = first + of(rng, string.digits, size - 1 - len(first))
    total = 0
    for place, letter in enumerate(reversed(body)):
        value = int(letter) * (1 if place % 2 else 2)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def iban(rng: random.Random, country: str = "DE", size: int = 18) -> str:
    """Return an account number (ISO 13616), its check digits right."""
    account = digits(rng, size)
    turned = int("".join(str(int(one, 36)) for one in f"{account}{country}00"))
    return f"{country}{98 - turned % 97:02d}{account}"


def grouped(text: str, size: int = 4, mark: str = " ") -> str:
    """Return a text in groups."""
    return mark.join(text[at : at + size] for at in range(0, len(text), size))


def password(rng: random.Random) -> str:
    """Return a password as people make them."""
    word = rng.choice(("Falcon", "kestrel", "Brunnen", "tulipe", "Azul", "wiosna", "Mare"))
    return f"{word}{rng.choice('!#-_.')}{digits(rng, rng.choice((2, 4)))}"


_KEYS = (
    lambda r: f"sk_live_{of(r, ALNUM, 24)}",
    lambda r: f"ghp_{of(r, ALNUM, 36)}",
    lambda r: f"AKIA{of(r, string.ascii_uppercase + string.digits, 16)}",
    lambda r: f"AIza{of(r, ALNUM + '-_', 35)}",
    lambda r: f"xoxb-{digits(r, 11)}-{of(r, ALNUM, 24)}",
    lambda r: f"eyJ{of(r, ALNUM, 20)}.eyJ{of(r, ALNUM, 30)}.{of(r, ALNUM + '-_', 43)}",
    lambda r: f"-----BEGIN RSA PRIVATE KEY-----\nMII{of(r, ALNUM, 40)}",
    lambda r: f"whsec_{of(r, ALNUM, 32)}",
    lambda r: f"sk-ant-api03-{of(r, ALNUM, 40)}",
)
_KEY_LINES = (
    "The key is {x}.", "Please use {x} for the API.", "api_key = {x}", "Der Schlüssel lautet {x}",
    "Voici la clé : {x}", "export TOKEN={x}", "Authorization: Bearer {x}", "{x}",
)  # fmt: skip
_PASSWORD_LINES = (
    "The password is {x}.", "Password: {x}", "Your new password: {x}", "Passwort: {x}",
    "Das Passwort lautet {x}", "Ihr Kennwort ist {x}.", "Mot de passe : {x}",
    "Le mot de passe est {x}", "Contraseña: {x}", "La contraseña es {x}.", "Password: {x} (utente)",
    "La password è {x}", "Wachtwoord: {x}", "Het wachtwoord is {x}", "Hasło: {x}", "Hasło to {x}",
    "Senha: {x}", "A senha é {x}.", "user: anna, password: {x}", "pwd={x}",
    "We have set your password to {x}.", "The API secret is {x}.", "Passphrase: {x}",
)  # fmt: skip
_CODE_LINES = (
    "Your code is {x}.", "{x} is your verification code.", "Enter {x} to confirm your login.",
    "Use the one-time code {x} within ten minutes.", "PIN: {x}", "Ihr Bestätigungscode: {x}",
    "{x} ist Ihr Einmalcode.", "Geben Sie die TAN {x} ein.", "Votre code de vérification est {x}.",
    "Saisissez le code {x}.", "Su código de verificación es {x}.", "Introduzca el código {x}.",
    "Il codice di verifica è {x}.", "Uw verificatiecode is {x}.", "Twój kod to {x}.",
    "Kod weryfikacyjny: {x}", "O seu código de verificação é {x}.", "OTP {x}",
    "Your security code: {x}", "Passcode {x}",
)  # fmt: skip
_LINK_LINES = (
    "Reset it here: {x}", "Please confirm with this link: {x}", "{x}", "Zurücksetzen: {x}",
    "Cliquez ici : {x}", "Haga clic en {x}", "You can sign in with {x} today.",
)  # fmt: skip
_LINKS = (
    lambda r: f"https://app.reed.example/reset-password?token={of(r, ALNUM, 32)}",
    lambda r: f"https://reed.example/verify/{of(r, HEX, 32)}",
    lambda r: f"https://id.reed.example/magic-link/{of(r, ALNUM, 22)}",
    lambda r: f"https://reed.example/account/activate?code={digits(r, 6)}",
    lambda r: f"https://login.reed.example/recover/{of(r, ALNUM, 24)}",
    lambda r: f"https://reed.example/invite/{of(r, ALNUM, 16)}",
    lambda r: f"https://reed.example/unlock?otp={digits(r, 6)}",
)
_ACCOUNT_LINES = (
    "Please transfer it to {x}.", "IBAN: {x}", "Die IBAN ist {x}", "Le compte : {x}",
    "Your card {x} was charged.", "We keep {x} on file.", "Konto {x}", "{x}",
)  # fmt: skip


def hidden(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield kinds and sentences that must not leave, `count` of each of five kinds."""
    rng = random.Random(seed)
    for _ in range(count):
        key = rng.choice(_KEYS)(rng)
        yield "secret", rng.choice(_KEY_LINES).format(x=key)
        yield "secret", rng.choice(_PASSWORD_LINES).format(x=password(rng))
        code = digits(rng, rng.choice((4, 5, 6, 6, 6, 8)))
        shown = f"{code[:3]} {code[3:]}" if len(code) == 6 and rng.random() < 0.2 else code
        yield "one_time_code", rng.choice(_CODE_LINES).format(x=shown)
        yield "recovery_link", rng.choice(_LINK_LINES).format(x=rng.choice(_LINKS)(rng))
        number = rng.choice((iban(rng), iban(rng, "NL", 14), card(rng), card(rng, "52")))
        number = number if rng.random() < 0.5 else grouped(number)
        yield "account_number", rng.choice(_ACCOUNT_LINES).format(x=number)


_PLAIN: tuple[tuple[str, Callable[[random.Random], str]], ...] = (
    ("Your order number is {x}.", lambda r: digits(r, r.choice((6, 8, 10)))),
    ("Die Bestellnummer lautet {x}.", lambda r: f"B-{digits(r, 8)}"),
    ("Commande n° {x}", lambda r: digits(r, 9)),
    ("We are happy to help: +{x}", lambda r: f"49 30 {digits(r, 4)} {digits(r, 4)}"),
    ("Call us: {x}", lambda r: f"0{digits(r, 3)} {digits(r, 7)}"),
    ("Telefon: {x}", lambda r: f"+41 44 {digits(r, 3)} {digits(r, 2)} {digits(r, 2)}"),
    ("Téléphone : {x}", lambda r: f"+33 1 {grouped(digits(r, 8), 2)}"),
    ("Your parcel: tracking number {x}", lambda r: digits(r, r.choice((12, 14, 20)))),
    ("Sendungsnummer {x}", lambda r: digits(r, r.choice((12, 14, 20)))),
    ("Numéro de suivi : {x}", lambda r: f"RR{digits(r, 9)}FR"),
    ("Tracking: {x}", lambda r: f"1Z{of(r, string.ascii_uppercase + string.digits, 16)}"),
    ("The invoice {x} is attached.", lambda r: f"2026-{digits(r, 5)}"),
    ("It was sent on {x}.", lambda r: f"2026-0{r.randint(1, 9)}-{r.randint(10, 28)}"),
    ("Wir sehen uns am {x}.", lambda r: f"{r.randint(1, 28)}.0{r.randint(1, 9)}.2026, 14:30"),
    ("At 2026-03-02 {x} UTC it was done.", lambda r: f"1{r.randint(0, 9)}:{r.randint(10, 59)}:07"),
    ("It was fixed in commit {x}.", lambda r: of(r, HEX, 40)),
    ("sha256: {x}", lambda r: of(r, HEX, 64)),
    ("md5 {x}  release.tar.gz", lambda r: of(r, HEX, 32)),
    ("The image digest is sha256:{x}.", lambda r: of(r, HEX, 64)),
    ("Please transfer it to {x}.", lambda _: grouped(OURS)),
    ("Our IBAN: {x}", lambda _: OURS),
    ("VAT number DE{x}", lambda r: digits(r, 9)),
    ("ISBN 978-3-{x}", lambda r: f"{digits(r, 2)}-{digits(r, 6)}-{digits(r, 1)}"),
    ("The article {x} is in stock.", lambda r: f"{digits(r, 4)}.{digits(r, 3)}"),
    ("EAN {x}", lambda r: digits(r, 13)),
    ("It costs {x} euros.", lambda r: f"{digits(r, 3)},50"),
    ("Das kostet {x} Euro im Jahr.", lambda r: f"{digits(r, 2)}.{digits(r, 3)},00"),
    ("The room has {x} seats and opens at 09:00.", lambda r: digits(r, 3)),
    ("Our post code is {x}.", lambda r: digits(r, 5)),
    ("Unsere Postleitzahl ist {x}.", lambda r: digits(r, 5)),
    ("Le code postal est {x}.", lambda r: digits(r, 5)),
    ("El código postal es {x}.", lambda r: digits(r, 5)),
    ("With the voucher code SPRING{x} you save 10 percent.", lambda r: digits(r, 2)),
    ("You can change the password in your settings, page {x}.", lambda r: digits(r, 2)),
    ("We never ask for your password, not since {x}.", lambda r: f"20{r.randint(10, 25)}"),
    ("The area code is {x}.", lambda r: f"0{digits(r, 3)}"),
    ("The error code {x} means that the paper is empty.", lambda r: f"E{digits(r, 3)}"),
    ("Ticket #{x} is open.", lambda r: digits(r, 6)),
    ("Customer number: {x}", lambda r: digits(r, 8)),
    ("See https://reed.example/help/{x} for more.", lambda r: f"opening-hours-{digits(r, 2)}"),
    ("Read https://reed.example/news/2026/{x}.", lambda r: f"0{r.randint(1, 9)}/spring"),
    ("Serial number {x}", lambda r: f"SN{digits(r, 10)}"),
    ("Version {x} is out.", lambda r: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 9)}"),
    ("The request id is {x}.", lambda r: f"{of(r, HEX, 8)}-{of(r, HEX, 4)}-4{of(r, HEX, 3)}"
                                         f"-a{of(r, HEX, 3)}-{of(r, HEX, 12)}"),
)  # fmt: skip


def plain(seed: int, count: int) -> Iterator[str]:
    """Yield that many sentences that may leave."""
    rng = random.Random(seed)
    for number in range(count):
        line, made = _PLAIN[number % len(_PLAIN)]
        yield line.format(x=made(rng))
