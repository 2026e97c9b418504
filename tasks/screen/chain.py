"""The chain: every rule of the screen, in the order in which they are asked.

All rules are asked always; the order is the order in which people read the list.
"""

from tasks.screen.rule import Rule
from tasks.screen.rules import (
    attachment_types,
    blocked_sender,
    coded_order,
    coded_words,
    concealment_characters,
    concealment_order,
    crafted_header,
    credential_request,
    direct_override,
    exfiltration,
    hidden_instruction,
    hidden_prose,
    link_target,
    link_template,
    lookalike_domain,
    machine_instruction,
    many_shot,
    output_control,
    payment_change,
    persona,
    prohibited_content,
    prompt_leak,
    refusal_suppression,
    role_impersonation,
    role_tokens,
    sender_mismatch,
    spam_words,
    split_payload,
    tool_instruction,
    unreadable_content,
    urgent_transfer,
)

CHAIN: tuple[Rule, ...] = (
    # layer 1: injection
    direct_override.RULE,
    machine_instruction.RULE,
    role_tokens.RULE,
    role_impersonation.RULE,
    persona.RULE,
    prompt_leak.RULE,
    exfiltration.RULE,
    tool_instruction.RULE,
    concealment_order.RULE,
    refusal_suppression.RULE,
    output_control.RULE,
    many_shot.RULE,
    coded_order.RULE,
    split_payload.RULE,
    link_template.RULE,
    # layer 2: smuggling
    hidden_instruction.RULE,
    hidden_prose.RULE,
    concealment_characters.RULE,
    coded_words.RULE,
    crafted_header.RULE,
    # layer 3: content
    spam_words.RULE,
    credential_request.RULE,
    payment_change.RULE,
    urgent_transfer.RULE,
    link_target.RULE,
    lookalike_domain.RULE,
    sender_mismatch.RULE,
    attachment_types.RULE,
    prohibited_content.RULE,
    # layer 4: metadata
    blocked_sender.RULE,
    unreadable_content.RULE,
)
