-- What is looked up one by one, over and over, in tables that grow with the mail. None is unique, and
-- these columns are hardly ever updated: DuckDB makes that a delete and an insert of the row.
CREATE INDEX steps_of_item ON steps (item_id);
CREATE INDEX messages_by_id ON messages (id);
CREATE INDEX cases_by_id ON cases (id);
CREATE INDEX threads_by_id ON threads (id);
CREATE INDEX contacts_by_email ON contacts (email);
CREATE INDEX drafts_of_case ON drafts (case_id);
CREATE INDEX branches_of_case ON branches (case_id);
CREATE INDEX actions_of_branch ON actions (branch_id);
