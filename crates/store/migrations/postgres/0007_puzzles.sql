-- What the newest review of a game says about the users who played it. All of this can be written
-- again from the report, but for the progress with puzzles.

CREATE TABLE review_sides (
    game BIGINT NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    accuracy DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, color)
);
CREATE INDEX review_sides_by_user ON review_sides (user_id, game);

-- A side's moves by phase, by the time left before the move, and by the time spent on it: their
-- number, and the sums of accuracy and of points lost.
CREATE TABLE review_parts (
    game BIGINT NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('phase', 'left', 'spent')),
    name TEXT NOT NULL,
    moves BIGINT NOT NULL,
    accuracy DOUBLE PRECISION NOT NULL,
    lost DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, color, part, name)
);
CREATE INDEX review_parts_by_user ON review_parts (user_id, part, name);

-- The marked moves that a claim explains, with the first claim about each.
CREATE TABLE review_mistakes (
    game BIGINT NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    motif TEXT NOT NULL,
    whose TEXT NOT NULL,
    played TEXT NOT NULL,
    lost DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (game, ply)
);
CREATE INDEX review_mistakes_by_user ON review_mistakes (user_id, motif, whose, lost);

CREATE TABLE puzzles (
    id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game BIGINT NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    ply BIGINT NOT NULL,
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
    lost DOUBLE PRECISION NOT NULL,
    -- A puzzle that its user has deleted stays, so that another review doesn't bring it back.
    dropped BIGINT NOT NULL CHECK (dropped IN (0, 1)),
    due BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    -- What is known about the user's memory of it: none before the first try.
    tried BIGINT,
    stability DOUBLE PRECISION,
    difficulty DOUBLE PRECISION,
    UNIQUE (game, ply, user_id)
);
CREATE INDEX puzzles_by_user ON puzzles (user_id, due, id) WHERE dropped = 0;
