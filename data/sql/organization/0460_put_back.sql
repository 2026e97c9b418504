-- When a person last put a reply back that had come to an end: since then it is tried anew, as long as at first.
ALTER TABLE deliveries ADD COLUMN put_back_at TIMESTAMPTZ;
UPDATE deliveries SET put_back_at = (
    SELECT max(occurred_at) FROM events
    WHERE item_kind = 'delivery' AND item_id = deliveries.id AND state IN ('failed', 'unknown')
) WHERE state IN ('queued', 'sending', 'dot_sent', 'deferred');
