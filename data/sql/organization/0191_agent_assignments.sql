-- To whom an agent is available, and which version of its template it was made from.
ALTER TABLE agents ADD COLUMN template_version VARCHAR DEFAULT '';

CREATE TABLE agent_assignments (
    agent VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject VARCHAR NOT NULL DEFAULT ''
);
INSERT INTO agent_assignments SELECT slug, 'organization', '' FROM agents;
