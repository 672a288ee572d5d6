-- What the newest review of a game says about the users who played it. All of this can be written
-- again from the report, but for the progress with puzzles.

CREATE TABLE review_sides (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    accuracy REAL NOT NULL,
    PRIMARY KEY (game, color)
) STRICT;
CREATE INDEX review_sides_by_user ON review_sides (user_id, game);

-- A side's moves by phase, by the time left before the move, and by the time spent on it: their
-- number, and the sums of accuracy and of points lost.
CREATE TABLE review_parts (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('phase', 'left', 'spent')),
    name TEXT NOT NULL,
    moves INTEGER NOT NULL,
    accuracy REAL NOT NULL,
    lost REAL NOT NULL,
    PRIMARY KEY (game, color, part, name)
) STRICT;
CREATE INDEX review_parts_by_user ON review_parts (user_id, part, name);

-- The marked moves that a claim explains, with the first claim about each.
CREATE TABLE review_mistakes (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    motif TEXT NOT NULL,
    whose TEXT NOT NULL,
    played TEXT NOT NULL,
    lost REAL NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT;
CREATE INDEX review_mistakes_by_user ON review_mistakes (user_id, motif, whose, lost);

CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    kind TEXT NOT NULL,
    phase TEXT NOT NULL,
    -- Names with a space before and after each.
    themes TEXT NOT NULL,
    fen TEXT NOT NULL,
    -- The move before it, and the one that was played, in UCI notation.
    before TEXT,
    played TEXT NOT NULL,
    -- Moves in UCI notation, with spaces between them.
    solution TEXT NOT NULL,
    lost REAL NOT NULL,
    -- A puzzle that its user has deleted stays, so that another review doesn't bring it back.
    dropped INTEGER NOT NULL CHECK (dropped IN (0, 1)),
    due INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    -- What is known about the user's memory of it: none before the first try.
    tried INTEGER,
    stability REAL,
    difficulty REAL,
    UNIQUE (game, ply, user_id)
) STRICT;
CREATE INDEX puzzles_by_user ON puzzles (user_id, due, id) WHERE dropped = 0;
