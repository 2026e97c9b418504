"""The stage *screen*: hostile mail is caught, shown, and never obeyed.

Four layers (docs/pipeline.md#screen): prompt injection, instruction smuggling,
content policy, and metadata, whose stripping is `tasks.core.asking.model_view`.
"""

from tasks.core.screen.chain import CHAIN
from tasks.core.screen.classifier import (
    InjectionClassifier,
    LocalInjectionClassifier,
    load_classifier,
)
from tasks.core.screen.judgement import with_excused
from tasks.core.screen.message.views import Views
from tasks.core.screen.organization_facts import Allowance, KnownSenders
from tasks.core.screen.preloading import prepare
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.screening import order_in, screen, screen_all, security_flags

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
