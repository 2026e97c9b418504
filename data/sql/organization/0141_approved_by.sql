-- Who let a delivery leave is told by its approval.

ALTER TABLE deliveries DROP COLUMN approved_by;
