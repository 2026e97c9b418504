-- Messages that a person passes on to a colleague leave through the outbox as replies do. Whatever
-- counts, takes back or learns from replies looks at this column.
ALTER TABLE deliveries ADD COLUMN purpose VARCHAR DEFAULT 'reply';
