"""Names of the screen's rules and kinds of attack, for people who do not write software."""

from data.rule_words import RULES
from ui.core.text.words import word

TECHNIQUE_NAMES: dict[str, str] = {
    "blocked_sender": "blocked sender",
    "dangerous_attachment": "dangerous file",
    "delimiter_attack": "forged marks",
    "direct_injection": "orders to the machine",
    "encoding_evasion": "disguised words",
    "exfiltration": "asks for private data",
    "instruction_smuggling": "hidden orders",
    "leak": "its answer would have leaked",
    "link_exfiltration": "link that carries data",
    "many_shot": "made-up dialogue",
    "not_screened": "not screened",
    "output_control": "dictates the answer",
    "payload_splitting": "orders in pieces",
    "payment_change": "other bank account",
    "payment_fraud": "pressure to pay",
    "persona": "role without rules",
    "phishing": "phishing",
    "prohibited_content": "forbidden content",
    "prompt_leak": "asks for instructions",
    "refusal_suppression": "forbids refusing",
    "role_impersonation": "pretends to be the system",
    "spam": "unwanted mail",
    "tool_instruction": "orders to use a tool",
    "unreadable": "unreadable",
}
"""A kind of attack in two or three words; `ui.core.text.words.TECHNIQUES` has the sentence."""


def excerpt(text: str) -> str:
    """Return the words that a rule found, with the way in which they hide as words before them."""
    name, colon, rest = text.partition(": ")
    return f"{word(name)}: {rest}" if colon and word(name) != name and " " not in name else text


def kind(technique: str) -> str:
    """Return a kind of attack in two or three words."""
    return TECHNIQUE_NAMES.get(technique, technique.replace("_", " "))


def rule(name: str) -> str:
    """Return how a rule is called."""
    rule_words = RULES.get(name)
    return rule_words[0] if rule_words else name.replace("_", " ").capitalize()


def explain_rule(name: str) -> str:
    """Return what it means that a rule hit; empty when it is not known."""
    rule_words = RULES.get(name)
    return rule_words[1] if rule_words else ""
