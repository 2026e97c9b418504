"""`postern demo`: the sample organization, its inbox played over SMTP, and what came of it."""

from flows.demo.running import run_demo

__all__ = ["run_demo"]
