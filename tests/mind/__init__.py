"""Tests of the mind: context, plan, draft, check, route, compose, and the knowledge index."""
