-- The case that a decision on a message has closed, whose answer repeated private context; empty
-- for decisions on messages that no case had got to.
ALTER TABLE guard_decisions ADD COLUMN case_id VARCHAR;
