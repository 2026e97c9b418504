"""What the screen's rules and kinds of attack are called by people who do not write software."""

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

RULES: dict[str, tuple[str, str]] = {
    "account_alarm": ("Alarm about an account", "alarms about an account and asks to log in"),
    "attachment_types": ("Kind of file", "a file that runs, hides its kind, or is not allowed"),
    "blocked_sender": ("Blocked sender", "a person blocked this sender or its domain"),
    "classifier": ("Trained classifier", "reads like instructions to a machine"),
    "coded_order": ("Order to decode", "orders to put pieces together and to follow the result"),
    "coded_words": (
        "Disguised words",
        "an order in a code, in look-alike letters or in disorder",
    ),
    "concealment_characters": (
        "Disguised letters",
        "characters that a reader does not see, or letters that hide a text from programs",
    ),
    "concealment_order": ("Order to keep silent", "orders to keep something from you"),
    "crafted_header": ("Orders in headers", "orders in the parts of a mail that nobody reads"),
    "credential_request": ("Asks to log in", "presses the reader to log in or to confirm"),
    "direct_override": ("Overrides instructions", "tells the machine to ignore its instructions"),
    "exfiltration": ("Asks for private data", "orders to send private data somewhere"),
    "hidden_instruction": ("Hidden order", "orders where a reader does not see them"),
    "hidden_prose": (
        "Hidden text",
        "hides more text than a preview line needs, or a sentence in a third language",
    ),
    "learned_spam": ("Like known spam", "is like what people here have called spam"),
    "left_open": ("Answer left open", "shows how to answer, and leaves an answer to be written"),
    "link_target": ("Misleading link", "a link that leads elsewhere than it shows"),
    "link_template": ("Link to be filled", "an address that is to be filled with data"),
    "lookalike_domain": ("Imitated domain", "a domain that imitates yours or a contact's"),
    "machine_instruction": ("Speaks to the machine", "addresses the machine and not you"),
    "machine_reader": (
        "Commands a program",
        "tells programs that read or rate mail what they have to do",
    ),
    "machine_vocative": (
        "Calls a program",
        "turns to a program by what it is, and gives it an order",
    ),
    "many_shot": ("Made-up dialogue", "a made-up conversation of a person and a machine"),
    "other_filters": ("Spam filter", "a spam filter beside this one calls it spam"),
    "output_control": ("Dictates the answer", "says what the answer has to contain"),
    "payment_change": ("Other bank account", "says that payments should go elsewhere"),
    "persona": ("Role without rules", "asks the machine to play somebody without rules"),
    "prohibited_content": ("Forbidden content", "is about what the policy does not take"),
    "prompt_leak": ("Asks for instructions", "asks for the machine's own instructions"),
    "refusal_suppression": ("Forbids refusing", "forbids the machine to refuse or to warn"),
    "role_impersonation": ("Pretends to be the system", "claims to be system or administrator"),
    "role_tokens": ("Forged marks", "forges the marks that separate system and user"),
    "sender_mismatch": ("Another sender", "shows another sender than it comes from"),
    "spam_words": ("Advertising", "reads like unasked advertising"),
    "split_payload": ("Order in pieces", "keeps pieces of an order that are to be joined"),
    "tool_instruction": ("Orders to use a tool", "orders the machine to run something"),
    "unreadable_content": ("Could not be read", "is encrypted, or has more than is looked into"),
    "url_reputation": ("Link with a bad name", "a reputation service warns of a link"),
    "urgent_transfer": ("Money at once", "wants money moved at once, and nobody asked"),
    "guard_model": ("Guard model", "a language model took it for an attack"),
}
"""Each rule's name, and what it means that it hit."""


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


def meaning(name: str) -> str:
    """Return what it means that a rule hit; empty when it is not known."""
    rule_words = RULES.get(name)
    return rule_words[1] if rule_words else ""
