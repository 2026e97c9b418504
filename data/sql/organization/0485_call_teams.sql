-- A call of a model counts for the teams that the person is in, in whose name it is made, as they were
-- then: caps may be for a team.
ALTER TABLE model_calls ADD COLUMN teams VARCHAR[];
