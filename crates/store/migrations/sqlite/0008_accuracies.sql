-- The accuracies of both sides, and the number of moves: what a list of games shows of a review. The
-- number is null until the report of an earlier version has been read. The report comes last: what
-- comes after a long text can only be reached through it.
CREATE TABLE reviews_with_accuracies (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    created INTEGER NOT NULL,
    white REAL,
    black REAL,
    moves INTEGER,
    report TEXT NOT NULL,
    PRIMARY KEY (game, fingerprint)
) STRICT;
INSERT INTO reviews_with_accuracies (game, fingerprint, created, report)
    SELECT game, fingerprint, created, report FROM reviews;
DROP TABLE reviews;
ALTER TABLE reviews_with_accuracies RENAME TO reviews;
