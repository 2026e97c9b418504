-- By when a case that waits for a person should be answered. `due_at` is null where the policy sets no target;
-- `made_for` is what it was computed from, so that a changed policy or label is seen.
CREATE TABLE service_targets (
    case_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    due_at TIMESTAMPTZ,
    made_for VARCHAR NOT NULL
);
