-- Questions of an agent's manifest that have to be answered before it works.
ALTER TABLE agents ADD COLUMN unanswered VARCHAR[];
UPDATE agents SET unanswered = [];
