-- Each action of a plan is a row of its own, with what became of it and who decided. The plan as the
-- stage made it stays with its branch.

CREATE TABLE actions (
    branch_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    type VARCHAR NOT NULL,
    argument VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    floor VARCHAR NOT NULL,
    audience VARCHAR NOT NULL,
    money BOOLEAN NOT NULL,
    related VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reviewed_by VARCHAR NOT NULL DEFAULT '',
    reviewed_at TIMESTAMPTZ,
    executed_at TIMESTAMPTZ,
    planned_at TIMESTAMPTZ NOT NULL
);

-- Plans from before this migration: the status follows from where their cases are now.
INSERT INTO actions
WITH planned AS (
    SELECT b.id AS branch_id, b.case_id, c.state, c.changed_at,
           unnest(from_json(b.plan->'$.actions', '["JSON"]')) AS action,
           generate_subscripts(from_json(b.plan->'$.actions', '["JSON"]'), 1) - 1 AS position
    FROM branches b JOIN cases c ON c.id = b.case_id WHERE b.plan IS NOT NULL
), decided AS (
    SELECT case_id, arg_max(reviewer, decided_at) AS reviewer, max(decided_at) AS decided_at
    FROM reviews WHERE action IN ('approve', 'edit_and_approve', 'reject', 'archive') GROUP BY case_id
), told AS (
    SELECT p.*, p.action->>'$.type' AS type, d.reviewer, d.decided_at,
           CASE WHEN p.action->>'$.type' IN ('create_ticket', 'tag_thread', 'create_contact',
                                             'ask_owner', 'wait') THEN 'executed'
                WHEN p.state IN ('in_review', 'failed') THEN 'pending_review'
                WHEN p.state = 'escalated' THEN
                    CASE p.action->>'$.type' WHEN 'escalate' THEN 'executed'
                         ELSE 'pending_review' END
                WHEN p.state IN ('approved', 'running') THEN
                    CASE WHEN p.state = 'approved' AND p.action->>'$.type' = 'reply' THEN 'approved'
                         ELSE 'planned' END
                WHEN p.state = 'sent' AND p.action->>'$.type' = 'reply' THEN 'executed'
                WHEN p.state = 'archived' AND p.action->>'$.type' = 'archive' THEN 'executed'
                ELSE 'rejected' END AS status
    FROM planned p LEFT JOIN decided d ON d.case_id = p.case_id
)
SELECT branch_id, position, type, coalesce(action->>'$.argument', ''),
       coalesce(action->>'$.reason', ''), action->>'$.floor',
       coalesce(action->>'$.audience', 'nobody'),
       coalesce((action->>'$.money')::BOOLEAN, false), coalesce(action->>'$.related', ''), status,
       CASE WHEN type IN ('reply', 'archive', 'forward', 'escalate')
            AND status IN ('approved', 'executed', 'rejected') THEN coalesce(reviewer, '')
            ELSE '' END,
       CASE WHEN type IN ('reply', 'archive', 'forward', 'escalate')
            AND status IN ('approved', 'executed', 'rejected') THEN decided_at END,
       CASE WHEN status = 'executed' THEN changed_at END, changed_at
FROM told;
