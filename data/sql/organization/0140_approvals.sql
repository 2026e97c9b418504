-- What waits for a yes, and who said it: one row for each approval, whatever slice asks for it. A
-- delivery names the approval that let it leave, in the place of a name of its own.

CREATE TABLE approvals (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject_id VARCHAR NOT NULL,
    summary VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    floor VARCHAR NOT NULL,
    permission VARCHAR NOT NULL,
    may_decide VARCHAR[] NOT NULL,
    opened_by VARCHAR NOT NULL,
    opened_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ,
    state VARCHAR NOT NULL,
    decided_by VARCHAR NOT NULL DEFAULT '',
    decided_as VARCHAR NOT NULL DEFAULT '',
    decided_at TIMESTAMPTZ,
    note VARCHAR NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 1
);

-- What was approved before bears its delivery's id. The hash of a reply is the one that was shown
-- (tasks/mail/compose/composing.py approval_hash); what was passed on was hashed with its attachments,
-- which the row does not name, so there it is that of the bytes that left.
INSERT INTO approvals
SELECT id, CASE purpose WHEN 'reply' THEN 'reply' ELSE 'pass_on' END, case_id,
       'to ' || array_to_string(rcpt_to, ', ') || ': ' || subject,
       CASE purpose WHEN 'reply' THEN sha256(
           'postern approval 1' || chr(10) || len(rcpt_to) || ':'
           || array_to_string(list_transform(rcpt_to, lambda r: strlen(r) || ':' || r), '')
           || '1:' || strlen(subject) || ':' || subject
           || '1:' || strlen(body) || ':' || body || '0:')
       ELSE sha256 END,
       CASE WHEN automatic THEN 'policy' ELSE 'person' END, 'decide', [], approved_by, created_at,
       NULL, 'approved', approved_by, CASE WHEN automatic THEN 'system' ELSE 'person' END,
       created_at, 'from before approvals were kept', 2
FROM deliveries;

ALTER TABLE deliveries ADD COLUMN approval_id VARCHAR;
UPDATE deliveries SET approval_id = id;
