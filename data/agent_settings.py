"""Settings of an agent: the questions that its manifest asks, and what answers fit them."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import JsonValue

from data.errors import UnfitError
from data.records.core.manifest_format import AgentManifest, ConfigurationField, SettingValue

LONGEST_TEXT = 2_000
"""Characters of an answer in words."""
_TRUE = ("true", "yes", "ja", "oui", "sí", "si")
_FALSE = ("false", "no", "nein", "non")
_TYPES = {"text": "string", "select": "string", "number": "number", "boolean": "boolean"}


def fields_asked_of(
    agent: AgentManifest, whom: Literal["organization", "user"]
) -> tuple[ConfigurationField, ...]:
    """Return the questions of a manifest to the organization, or to each person."""
    return tuple(field for field in agent.configuration_schema if field.asked_of == whom)


def settings_schema(fields: Sequence[ConfigurationField]) -> dict[str, JsonValue]:
    """Return the questions as a JSON schema (draft 2020-12) of the answers."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": False,
        "properties": {field.field: _property(field) for field in fields},
        "required": [field.field for field in fields if field.required],
    }


def _property(asked: ConfigurationField) -> JsonValue:
    written: dict[str, JsonValue] = {"title": asked.label, "type": _TYPES[asked.type]}
    if asked.type == "select":
        written["enum"] = list(asked.options)
    if asked.type == "text":
        written["maxLength"] = LONGEST_TEXT
    return written


def fit_settings(
    fields: Sequence[ConfigurationField], values: Mapping[str, SettingValue | None]
) -> dict[str, SettingValue]:
    """Return answers that fit their questions, in the order of these; None takes one away.

    Raises:
        UnfitError: there is no such question, or an answer does not fit it; says which.

    """
    field_by_name = {field.field: field for field in fields}
    for name in values:
        if name not in field_by_name:
            there = ", ".join(field_by_name) or "none"
            raise UnfitError(f"this agent has no setting {name!r}; its settings: {there}")
    values_given = {name: values[name] for name in field_by_name if name in values}
    return {
        name: _fit(field_by_name[name], value)
        for name, value in values_given.items()
        if value is not None
    }


def _fit(asked: ConfigurationField, value: SettingValue) -> SettingValue:
    """Return an answer that fits a question.

    Raises:
        UnfitError: it does not.

    """
    truth = isinstance(value, bool)
    if asked.type == "boolean" and not truth:
        raise UnfitError(f"{asked.field!r} is true or false: {asked.label}")
    if asked.type == "number" and (truth or not isinstance(value, int | float)):
        raise UnfitError(f"{asked.field!r} is a number: {asked.label}")
    if asked.type in ("text", "select") and not isinstance(value, str):
        raise UnfitError(f"{asked.field!r} is a text: {asked.label}")
    if asked.type == "select" and value not in asked.options:
        raise UnfitError(f"{asked.field!r} is one of: {', '.join(asked.options)}")
    if isinstance(value, str) and not value.strip():
        raise UnfitError(f"{asked.field!r} says nothing; leave it out to take it away")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise UnfitError(f"{asked.field!r} has at most {LONGEST_TEXT:,} characters")
    return value


def read_answers(
    fields: Sequence[ConfigurationField], written: Sequence[str]
) -> dict[str, SettingValue | None]:
    """Return answers written as `NAME=VALUE`, as their questions take them; an empty one is None.

    Raises:
        UnfitError: one is not written so, or is no number, or neither true nor false.

    """
    field_by_name = {field.field: field for field in fields}
    read: dict[str, SettingValue | None] = {}
    for answer in written:
        name, sign, value = answer.partition("=")
        if not sign:
            raise UnfitError(f"write {answer!r} as NAME=VALUE")
        asked = field_by_name.get(name.strip())
        text = value.strip()
        read[name.strip()] = read_answer(asked, text) if asked is not None else text or None
    return read


def read_answer(asked: ConfigurationField, value: str) -> SettingValue | None:
    """Return an answer that somebody has written, as its question takes it; an empty one is None.

    Raises:
        UnfitError: it is no number, or neither true nor false.

    """
    name = asked.field
    if not value:
        return None
    plain = value.lower().rstrip(".!")
    if asked.type == "boolean":
        if plain not in (*_TRUE, *_FALSE):
            raise UnfitError(f"{name!r} is true or false")
        return plain in _TRUE
    if asked.type == "select":
        alike = [option for option in asked.options if option.lower() in (plain, value.lower())]
        return alike[0] if alike else value
    if asked.type != "number":
        return value
    try:
        number = float(value)
    except ValueError as error:
        raise UnfitError(f"{name!r} is a number") from error
    return int(number) if number.is_integer() else number


def list_unanswered_questions(agent: AgentManifest) -> tuple[str, ...]:
    """Return the questions that have to be answered before the agent works, as they are asked."""
    return tuple(
        field.label
        for field in fields_asked_of(agent, "organization")
        if field.required and field.field not in agent.configuration
    )


def told_settings(agent: AgentManifest) -> str:
    """Return an agent's settings as its model is told them; empty where there are none."""
    lines = [
        f"- {field.label} {_words(agent.configuration[field.field])}"
        for field in agent.configuration_schema
        if field.field in agent.configuration
    ]
    return "\n".join(("\nHow you are set up here:\n", *lines, "")) if lines else ""


def _words(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())
