"""The stage *screen*: hostile mail is caught, shown, and never obeyed.

Four layers (docs/pipeline.md#screen): prompt injection, instruction smuggling,
content policy, and metadata, whose stripping is `tasks.model_view`.
"""

from tasks.screen.chain import CHAIN
from tasks.screen.classifier import (
    InjectionClassifier,
    LocalInjectionClassifier,
    load_classifier,
)
from tasks.screen.judgement import with_excused
from tasks.screen.message.views import Views
from tasks.screen.organization_facts import Allowance, KnownSenders
from tasks.screen.prepared import prepare
from tasks.screen.rule import Find, ScreenRule
from tasks.screen.screening import order_in, screen, screen_all, security_flags

__all__ = [
    "CHAIN",
    "Allowance",
    "Find",
    "InjectionClassifier",
    "KnownSenders",
    "LocalInjectionClassifier",
    "ScreenRule",
    "Views",
    "load_classifier",
    "order_in",
    "prepare",
    "screen",
    "screen_all",
    "security_flags",
    "with_excused",
]
