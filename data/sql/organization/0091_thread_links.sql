-- Every conversation that another one names without being part of it: the column threads.linked_to kept one.
-- Each pair stands here once, whichever named the other first.
CREATE TABLE thread_links (
    thread_id VARCHAR NOT NULL,
    other_id VARCHAR NOT NULL
);
INSERT INTO thread_links
SELECT t.id, t.linked_to FROM threads t
WHERE t.linked_to IS NOT NULL AND t.linked_to <> t.id AND NOT EXISTS (
    SELECT 1 FROM threads o WHERE o.id = t.linked_to AND o.linked_to = t.id AND o.id < t.id
);
