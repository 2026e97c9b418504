"""The stage *screen*: hostile mail is caught, shown, and never obeyed.

Four layers (source document, inbound security filter): prompt injection, instruction smuggling,
content policy, and metadata, whose stripping is `tasks.model_view`.
"""

from tasks.screen.chain import CHAIN
from tasks.screen.classifier import InjectionClassifier
from tasks.screen.known import Allowance, KnownSenders
from tasks.screen.rule import Find, Rule
from tasks.screen.screening import screen, security_flags
from tasks.screen.views import Views

__all__ = [
    "CHAIN",
    "Allowance",
    "Find",
    "InjectionClassifier",
    "KnownSenders",
    "Rule",
    "Views",
    "screen",
    "security_flags",
]
