-- Conversations from before have the status and the assignee that follow from their cases, as
-- `data/store/mail/thread_status.py` has it since.
UPDATE threads SET status = found.status, assignee = found.assignee FROM (
    SELECT thread_id,
           CASE WHEN bool_or(state IN ('in_review', 'escalated', 'failed')) THEN 'pending_review'
                WHEN bool_or(state IN ('running', 'approved')) THEN 'open'
                WHEN bool_or(state = 'sent') THEN 'resolved'
                WHEN bool_or(state = 'archived') THEN 'archived' ELSE 'open' END AS status,
           arg_max_null(assignee, (state IN ('in_review', 'escalated', 'failed'), created_at, id))
               AS assignee
    FROM cases WHERE state <> 'superseded' GROUP BY thread_id
) found WHERE threads.id = found.thread_id;
