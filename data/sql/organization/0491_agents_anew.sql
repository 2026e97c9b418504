-- With which version an agent was installed, after one of its slug was deleted; whose answers were
-- given to which; and how often it was changed to whom an agent is available.
ALTER TABLE agents ADD COLUMN since INTEGER DEFAULT 1;
UPDATE agents SET since = coalesce((
    SELECT max(try_cast(regexp_extract(detail, '^version ([0-9]+):', 1) AS INTEGER))
    FROM audit_events WHERE action = 'install agent' AND subject = 'agent:' || agents.slug
), 1);

-- One that is gone is in no chat, and one of its slug that came later was let into none of its.
UPDATE chat_members SET left_at = now() FROM agents
WHERE chat_members.kind = 'agent' AND chat_members.left_at IS NULL
    AND agents.slug = chat_members.member_id
    AND (agents.state = 'deleted' OR chat_members.joined_at < (
        SELECT made_at FROM agent_versions v WHERE v.agent = agents.slug AND v.version = agents.since
    ));

ALTER TABLE agents ADD COLUMN assigned_version INTEGER DEFAULT 0;

ALTER TABLE agent_answers ADD COLUMN since INTEGER DEFAULT 0;
UPDATE agent_answers SET since = agents.since FROM agents
WHERE agents.slug = agent_answers.agent AND agent_answers.changed_at >= (
    SELECT made_at FROM agent_versions v WHERE v.agent = agents.slug AND v.version = agents.since
);
