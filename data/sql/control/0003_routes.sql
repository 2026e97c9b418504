-- Routes with mode `endpoint`: where the mail is forwarded, and the name of the key that signs it.
-- The key itself is a file (docs/operate.md): a copy of this database gives nobody a signature.

ALTER TABLE routes ADD COLUMN url VARCHAR DEFAULT '';
ALTER TABLE routes ADD COLUMN secret VARCHAR DEFAULT '';
