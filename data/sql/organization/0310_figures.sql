-- What reports count, kept when it happens: whether a draft would have left by itself when a person
-- decided on it, and how many questions of the sender a draft leaves open.
ALTER TABLE reviews ADD COLUMN would_auto_send BOOLEAN DEFAULT false;
UPDATE reviews SET would_auto_send = cases.would_auto_send FROM cases WHERE cases.id = case_id;
ALTER TABLE drafts ADD COLUMN unanswered INTEGER DEFAULT 0;
UPDATE drafts SET unanswered = coalesce(json_array_length(draft, '$.unanswered'), 0);
