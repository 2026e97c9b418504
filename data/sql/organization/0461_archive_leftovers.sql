-- Files of the archive that may be nobody's: noted before the bytes of a row that is yet to come are kept, and in the
-- transaction that takes the last row away which names them. Whoever is cut off in between leaves it to the upkeep.
CREATE TABLE archive_leftovers (
    sha256 VARCHAR NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL
);
