"""Sentences of replies with and without a secret; the half that no rule was made with.

Other sentences, other makers of values, and longer letters around them than in the seen half.
"""

import random
import string
from collections.abc import Iterator

from benchmarks._secrets_seen import ALNUM, HEX, OURS, card, digits, grouped, iban, of

_BEFORE = (
    "", "Dear Ms Thorne,\n\nthank you for writing. ", "Hello,\n\n", "Guten Tag,\n\ngern. ",
    "Bonjour,\n\nmerci de votre message. ", "Buenos días:\n\n", "Beste Piet,\n\n",
    "Dzień dobry,\n\n", "Olá,\n\n", "Gentile signora,\n\n",
)  # fmt: skip
_AFTER = (
    "", "\n\nKind regards\nReed & Sons", " Let us know if it works.", "\n\nMit freundlichen Grüßen",
    " It is open until 18:00.", "\n\nBien à vous", "\n\nSaludos", "\n\nPozdrawiam",
)  # fmt: skip


def _hidden(r: random.Random) -> Iterator[tuple[str, str]]:
    word = r.choice(("orchard", "Zamek", "Gracht", "lampara", "Nuvola", "hiver", "Ponte", "Eiche"))
    pin, long = digits(r, r.choice((4, 6, 6, 7))), of(r, ALNUM, 28)
    secret = r.choice((f"{word}{digits(r, 3)}", f"{word}${digits(r, 2)}{of(r, ALNUM, 3)}"))
    yield "secret", r.choice((
        f"Log in as guest with the password {secret}", f"the wifi password is: {secret}",
        f"Zugangsdaten: Benutzer ada, Passwort {secret}", f"Dein neues Kennwort: {secret}",
        f"identifiant : ada / mot de passe : {secret}", f"su nueva contraseña es {secret}",
        f"la sua nuova password: {secret}", f"je nieuwe wachtwoord is {secret}",
        f"Pana nowe hasło: {secret}", f"a sua nova palavra-passe é {secret}",
        f"PASSWORD={secret}", f"login/password: ada/{secret}",
    ))  # fmt: skip
    yield "secret", r.choice((
        f"the client secret is {long}", f"Bearer {long}", f"token: {long}", f"api-key: {long}",
        f"glpat-{of(r, ALNUM, 20)}", f"gho_{of(r, ALNUM, 36)}", f"npm_{of(r, ALNUM, 36)}",
        f"sk-proj-{of(r, ALNUM, 48)}", f"rk_live_{of(r, ALNUM, 24)}", f"hf_{of(r, ALNUM, 34)}",
        f"SG.{of(r, ALNUM, 22)}.{of(r, ALNUM, 43)}", f"access token {of(r, HEX, 40)}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{of(r, ALNUM, 60)}",
        f"The secret key is {of(r, HEX, 64)}.", f"https://ada:{secret}@git.reed.example/x.git",
    ))  # fmt: skip
    yield "one_time_code", r.choice((
        f"Please type {pin} when you are asked for the code.", f"G-{pin} is the code.",
        f"Login code: {pin}. Do not share it.", f"Der Code zum Anmelden ist {pin}.",
        f"Bitte geben Sie den Sicherheitscode {pin} ein.", f"Ihre PIN lautet {pin}",
        f"le code de confirmation : {pin}", f"Voici votre code d'accès : {pin}",
        f"El código de acceso es {pin}.", f"tu clave de un solo uso es {pin}",
        f"il suo codice di accesso è {pin}", f"je inlogcode is {pin}", f"kod dostępu: {pin}",
        f"o código de acesso é {pin}", f"your 2FA code is {pin}", f"the access code {pin}",
        f"{pin} is your one-time password.", f"the door code is {pin}",
    ))  # fmt: skip
    yield "recovery_link", r.choice((
        f"https://reed.example/password/edit?reset_password_token={of(r, ALNUM, 20)}",
        f"Choose a new one under https://reed.example/auth/reset/{of(r, HEX, 40)} please.",
        f"https://accounts.reed.example/confirm?key={of(r, ALNUM, 24)}",
        f"http://reed.example/login?token={of(r, ALNUM, 18)}&next=/",
        f"https://reed.example/passwort-vergessen/{of(r, ALNUM, 24)}",
        f"reed.example/verify-email/{of(r, ALNUM, 30)}",
        f"https://reed.example/signin/callback?code={of(r, ALNUM, 30)}",
        f"https://reed.example/u/activation/{of(r, HEX, 32)}",
    ))  # fmt: skip
    number = r.choice((
        iban(r, "FR", 23), iban(r, "ES", 20), iban(r, "PL", 24), iban(r, "AT", 16),
        card(r, "37", 15), card(r, "6011"), card(r, "55"), card(r, "4"),
    ))  # fmt: skip
    number = grouped(number, 4, r.choice((" ", "-"))) if r.random() < 0.4 else number
    yield "account_number", r.choice((
        f"The money went to account {number}.", f"Bankverbindung: {number}", f"card no. {number}",
        f"votre carte {number}", f"numero di carta {number}", f"nr konta {number}",
        f"o cartão {number} foi recusado", f"rekeningnummer {number}", f"see {number}",
    ))  # fmt: skip


def hidden(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield kinds and letters that must not leave, `count` of each of five."""
    rng = random.Random(seed)
    for _ in range(count):
        for kind, text in _hidden(rng):
            yield kind, f"{rng.choice(_BEFORE)}{text}{rng.choice(_AFTER)}"


def _plain(r: random.Random) -> str:
    five, eight = digits(r, 5), digits(r, 8)
    day, hour = r.randint(10, 28), r.randint(10, 19)
    return r.choice((
        f"your booking {eight} is confirmed for {day} May 2026, {hour}:30",
        f"the reference is REF-{of(r, string.ascii_uppercase, 3)}-{five}",
        f"Ihre Auftragsnummer {eight} haben wir notiert", f"Rechnung Nr. {five}/2026 liegt bei",
        f"Kundennummer {eight}, Vertrag {digits(r, 10)}", f"votre facture F{eight} est jointe",
        f"el pedido {eight} sale el {day}/05/2026", f"ordine n. {eight} del {day}.05.2026",
        f"bestelnummer {eight}", f"numer zamówienia {eight}", f"a encomenda {eight} seguiu hoje",
        f"paket {digits(r, 14)} is onderweg met de koerier, track and trace {digits(r, 13)}",
        f"DHL shipment {digits(r, 20)} arrives on Friday", f"przesyłka {digits(r, 20)}",
        f"número de seguimiento {digits(r, 13)}", f"colis {digits(r, 13)}, suivi {digits(r, 15)}",
        f"Paketnummer: {digits(r, 12)}", f"codice di spedizione {digits(r, 12)}",
        f"ring us: +44 20 {digits(r, 4)} {digits(r, 4)}", f"Tel. 030/{digits(r, 7)}-12",
        f"phone (0{digits(r, 3)}) {digits(r, 6)}", f"tel. +48 {grouped(digits(r, 9), 3)}",
        f"mobile 00{digits(r, 12)}", f"fax +39 02 {eight}", f"WhatsApp +55 11 9{eight}",
        f"the fix is {of(r, HEX, 12)} on main, see also {of(r, HEX, 40)}",
        f"checksum {of(r, HEX, 64)} for the archive", f"git checkout {of(r, HEX, 40)}",
        f"ETag {of(r, HEX, 32)}", f"trace {of(r, HEX, 32)} shows the error",
        f"please pay to {OURS}", f"our account is {grouped(OURS)}",
        f"USt-IdNr. DE{digits(r, 9)}", f"NIP {digits(r, 10)}", f"company number {eight}",
        f"ISBN 979-{digits(r, 1)}-{digits(r, 4)}-{digits(r, 4)}-{digits(r, 1)}",
        f"GTIN {digits(r, 13)}", f"part number {five}-{digits(r, 4)}", f"item {digits(r, 6)}",
        f"we moved to {five} Delft in 2024", f"Hauptstraße 12, {five} Kassel",
        f"meter reading {digits(r, 6)} kWh", f"the trip is {digits(r, 4)} km long",
        f"the budget is {digits(r, 1)} {digits(r, 3)} {digits(r, 3)} euros",
        f"from 2026-05-{day}T{hour}:00:00Z to 2026-06-{day}T{hour}:00:00Z",
        f"coordinates 52.{digits(r, 6)}, 13.{digits(r, 6)}", f"room {digits(r, 3)}, floor 2",
        f"the dress code for {day} May 2026 is casual", f"QR code on page {r.randint(10, 99)}",
        f"the source code has {five} lines", f"promo code SUMMER{r.randint(10, 99)} works",
        f"the zip code {five} is right", f"country code +{r.randint(30, 99)}",
        f"der Rabattcode FRUEHLING{r.randint(10, 99)}", f"cap {five} Roma", f"{five}-100 Lisboa",
        f"you set your own password at the desk in room {digits(r, 3)}",
        f"passwords have {r.randint(12, 20)} letters or more",
        f"das Passwort ändern Sie selbst, Seite {r.randint(10, 99)}",
        f"we reset the alarm at {hour}:45", "the token bucket is described in the manual",
        f"https://reed.example/shop/item/{eight}", f"https://reed.example/blog/2026/05/{day}/news",
        f"IMEI {digits(r, 15)}", f"Seriennummer {digits(r, 14)}", f"chassis {digits(r, 6)}",
        f"invoice {digits(r, 12)} of {day} May", f"case {of(r, HEX, 8)}",
        f"order {digits(r, 3)}-{digits(r, 7)}-{digits(r, 7)}",
        f"Message-ID {of(r, HEX, 32)}@mail.reed.example",
    ))  # fmt: skip


def plain(seed: int, count: int) -> Iterator[str]:
    """Yield that many letters that may leave."""
    rng = random.Random(seed)
    for _ in range(count):
        yield f"{rng.choice(_BEFORE)}{_plain(rng)}{rng.choice(_AFTER)}"
