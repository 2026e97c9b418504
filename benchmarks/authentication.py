"""How fast senders are authenticated: without a question, with answers at hand, and signing.

    python benchmarks/authentication.py [--messages 2000]

Answers come from a zone in memory, so that what is measured is our own work and the libraries'. A
resolver's time comes on top; many messages wait for it at the same time.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from connectors.dkim_signer import sign_message
from connectors.dns_resolver import SystemResolver
from data.settings import Settings
from flows.mail.stages.authenticate import authenticate_shortly
from tasks.core.parse.parsing import parse
from tests.core.authentication.test_dkim_signer import REPLY
from tests.core.authentication.zone import PLAIN, ZoneResolver, answer, envelope, key, signed, zone


def rate(act: Callable[[], object], times: int) -> float:
    """Return how often a second `act` can be done: the best of three runs."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        for _ in range(times):
            act()
        best = max(best, times / (time.perf_counter() - began))
    return best


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="Authentication of senders, and signing")
    parser.add_argument("--messages", type=int, default=2000)
    args = parser.parse_args()
    mail, how, settings, names = parse(PLAIN), envelope(), Settings(), SystemResolver()
    raw, known, private = signed(), ZoneResolver(zone()), key()
    acts: dict[str, tuple[Callable[[], object], int]] = {
        "nothing to ask (a reserved domain)": (
            lambda: authenticate_shortly(mail, how, settings, names),
            args.messages,
        ),
        "SPF, DKIM (RSA 2048) and DMARC, answers at hand": (
            lambda: answer(raw, resolver=known),
            max(1, args.messages // 10),
        ),
        "signing a reply, and checking the signature": (
            lambda: sign_message(REPLY, "alder.example", "fir", private),
            max(1, args.messages // 10),
        ),
    }
    for name, (act, times) in acts.items():
        print(f"{name}: {rate(act, times):,.0f} messages/s")


if __name__ == "__main__":
    main()
