"""Tests of the mind: context, plan, draft, check, route and compose."""
