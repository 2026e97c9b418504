-- What each gate said of a call; turns that wait for the one before them, that were begun more than
-- once, and what was before the agent when it answered.
DROP INDEX turn_moves_of_turn;
ALTER TABLE turn_moves ADD COLUMN gates JSON DEFAULT '[]';
CREATE INDEX turn_moves_of_turn ON turn_moves (turn_id);
ALTER TABLE turns ADD COLUMN also VARCHAR[] DEFAULT [];
ALTER TABLE turns ADD COLUMN queued BOOLEAN DEFAULT false;
ALTER TABLE turns ADD COLUMN tries INTEGER DEFAULT 0;
ALTER TABLE turns ADD COLUMN labels VARCHAR[] DEFAULT [];
