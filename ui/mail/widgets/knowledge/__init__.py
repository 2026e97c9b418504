"""Knowledge that drafts may rest on: entries, saved replies, questions, and what was learned."""
