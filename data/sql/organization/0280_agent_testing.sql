-- Whose an agent is while it is tested, and what an assignment takes away.
ALTER TABLE agents ADD COLUMN owner VARCHAR DEFAULT '';

ALTER TABLE agent_assignments ADD COLUMN without VARCHAR[] DEFAULT [];
ALTER TABLE agent_assignments ADD COLUMN trust VARCHAR;
ALTER TABLE agent_assignments ADD COLUMN most_calls INTEGER;
ALTER TABLE agent_assignments ADD COLUMN budget DOUBLE;
