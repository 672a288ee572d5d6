-- Times are UTC in milliseconds. Words are kept as words, so that a table can be read by hand.

CREATE TABLE users (
    -- Numbers are not given twice: what has outlived its user must not fall to another.
    id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name TEXT NOT NULL,
    -- The name without regard to case, in the order of its bytes as in SQLite.
    folded TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT,
    created BIGINT NOT NULL,
    settings TEXT NOT NULL
);

CREATE TABLE sessions (
    -- SHA-256 of the token; who reads the table can't sign in with it.
    token_hash BYTEA PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    csrf TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires);

CREATE TABLE games (
    number BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    id TEXT NOT NULL UNIQUE,
    version BIGINT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('played', 'imported')),
    status TEXT NOT NULL CHECK (status IN ('live', 'finished')),
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'link', 'public')),
    rules TEXT NOT NULL CHECK (rules IN ('standard', 'chess960')),
    -- The FEN of the start; null is the standard array.
    start TEXT,
    owner BIGINT REFERENCES users (id) ON DELETE SET NULL,
    white_user BIGINT REFERENCES users (id) ON DELETE SET NULL,
    white_name TEXT NOT NULL,
    white_folded TEXT COLLATE "C" NOT NULL,
    white_level BIGINT,
    white_elo BIGINT,
    black_user BIGINT REFERENCES users (id) ON DELETE SET NULL,
    black_name TEXT NOT NULL,
    black_folded TEXT COLLATE "C" NOT NULL,
    black_level BIGINT,
    black_elo BIGINT,
    time_control TEXT,
    speed TEXT,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    -- When it was played: for an imported game the date of its tags.
    played_at BIGINT NOT NULL,
    clock_running_since BIGINT,
    result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    outcome TEXT,
    eco TEXT,
    opening TEXT,
    opening_folded TEXT COLLATE "C",
    offer TEXT,
    -- SHA-256 of the secrets that let their holders move a side.
    white_seat BYTEA,
    black_seat BYTEA,
    -- The side for which somebody is awaited.
    open_seat TEXT CHECK (open_seat IN ('white', 'black')),
    rated TEXT NOT NULL CHECK (rated IN ('no', 'due', 'done')),
    -- The id of the game that was begun as its rematch.
    rematch TEXT,
    plies BIGINT NOT NULL,
    -- Hash of players, date, result and moves; only imported games have one.
    content BYTEA,
    -- Two bytes for each move, four for the time its mover had left (none in an untimed game).
    moves BYTEA NOT NULL,
    clocks BYTEA NOT NULL,
    -- Of imported games: names and values as JSON; the moves with comments and variations.
    tags TEXT,
    annotated TEXT
);
CREATE UNIQUE INDEX games_by_content ON games (coalesce(owner, 0), content)
    WHERE content IS NOT NULL;
CREATE INDEX games_live ON games (number) WHERE status = 'live';
CREATE INDEX games_to_rate ON games (number) WHERE status = 'finished' AND rated = 'due';
CREATE INDEX games_public ON games (played_at, number) WHERE visibility = 'public';
-- A search walks one of these from the newest game on and looks at a row only when all else fits.
CREATE INDEX games_by_time ON games (
    played_at, number, status, source, result, speed, eco, opening_folded,
    white_folded, black_folded, white_level, black_level
);
CREATE INDEX games_by_owner ON games (
    owner, played_at, number, status, source, result, speed, eco, opening_folded,
    white_folded, black_folded, white_level, black_level
) WHERE owner IS NOT NULL;
CREATE INDEX games_by_white ON games (white_user, played_at, number) WHERE white_user IS NOT NULL;
CREATE INDEX games_by_black ON games (black_user, played_at, number) WHERE black_user IS NOT NULL;

-- Where each position of a finished game stands for the first time. `game` has no foreign key:
-- it would need an index by game, as large as the table. Whoever deletes a game knows its keys.
CREATE TABLE positions (
    key BIGINT NOT NULL,
    game BIGINT NOT NULL,
    ply BIGINT NOT NULL,
    PRIMARY KEY (key, game) INCLUDE (ply)
);

CREATE TABLE reviews (
    game BIGINT NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    report TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (game, fingerprint)
);

CREATE TABLE ratings (
    number BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game BIGINT REFERENCES games (number) ON DELETE SET NULL,
    time BIGINT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    UNIQUE (user_id, game)
);
CREATE INDEX ratings_by_user ON ratings (user_id, number);
CREATE INDEX ratings_by_game ON ratings (game) WHERE game IS NOT NULL;

CREATE TABLE jobs (
    id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    priority BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    attempts BIGINT NOT NULL,
    lease_until BIGINT,
    worker TEXT,
    progress DOUBLE PRECISION NOT NULL,
    -- The result of a job that is done, the last error of one that is not.
    answer TEXT,
    once TEXT UNIQUE,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL
);
-- No index by kind: with one, all jobs of a kind would be sorted for each that is claimed.
CREATE INDEX jobs_waiting ON jobs (priority DESC, id, kind) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_failed ON jobs (id) WHERE state = 'failed';

-- One row: when the server was last seen alive.
CREATE TABLE pulse (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    time BIGINT NOT NULL
);
