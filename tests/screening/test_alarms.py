"""Alarm about accounts and second factors, and the honest notices beside them."""

import pytest

from data.records.mail.screening import Verdict
from tests.screening.letters import rules_hit, screened

ALARMS = (
    "Подтвердите пароль в течение 48 часов, иначе учётная запись будет закрыта: https://a.example/x",
    "Ваша учётная запись будет удалена. Войдите по ссылке: https://a.example/x",
    "Аккаунт будет закрыт сегодня. Подтвердите пароль: https://a.example/x",
)
FACTORS = (
    "The multi-factor authentication expires today. Scan the QR code with your telephone.",
    "Two-factor authentication will expire tomorrow: scan this QR code to keep it.",
    "Die Mehrfaktor-Authentifizierung läuft heute ab. Scannen Sie den QR-Code.",
    "L'authentification multifacteur expire aujourd'hui. Scannez le code QR.",
    "La autenticación multifactor caduca hoy. Escanee el código QR.",
    "L'autenticazione a due fattori scade oggi. Scansioni il codice QR.",
    "A autenticação multifator expira hoje. Leia o código QR.",
    "Uwierzytelnianie wieloskładnikowe wygasa dzisiaj. Zeskanuj kod QR.",
    "Многофакторная аутентификация истекает сегодня. Отсканируйте QR-код.",
    "多因素认证今天到期，请扫描二维码。",
    "De multifactor-authenticatie verloopt vandaag. Scan de QR-code.",
)
HONEST = (
    "Ваша учётная запись создана. Войдите на сайт, когда будет удобно.",
    "Счёт закрыт, пароль от сейфа у Нины.",
    "Учётная запись стажёра закрыта в пятницу, как вы просили.",
    "Multi-factor authentication is on for everybody from May. The QR code is on the last page.",
    "Die Mehrfaktor-Authentifizierung ist jetzt für alle an; der QR-Code liegt im Büro.",
    "The ticket expires today; scan the QR code at the gate.",
)


@pytest.mark.parametrize("text", [*ALARMS, *FACTORS])
def test_alarm_and_a_demand_are_flagged(text: str) -> None:
    """Something is closed or expires, and the reader is to confirm, log in or scan."""
    screening = screened(text)
    assert screening.verdict is not Verdict.CLEAN
    assert rules_hit(screening) & {"account_alarm", "credential_request"}


@pytest.mark.parametrize("text", HONEST)
def test_notices_without_alarm_are_clean(text: str) -> None:
    """An account that was made or was to be closed, a factor that is on, a ticket for today."""
    assert screened(text).verdict is Verdict.CLEAN
