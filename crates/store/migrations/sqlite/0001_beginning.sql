-- Times are UTC in milliseconds. Words are kept as words, so that the file can be read by hand.

CREATE TABLE users (
    -- Numbers are not given twice: what has outlived its user must not fall to another.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    -- The name without regard to case.
    folded TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    created INTEGER NOT NULL,
    settings TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
    -- SHA-256 of the token; who reads the file can't sign in with it.
    token_hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    csrf TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires);

CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('played', 'imported')),
    status TEXT NOT NULL CHECK (status IN ('live', 'finished')),
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'link', 'public')),
    rules TEXT NOT NULL CHECK (rules IN ('standard', 'chess960')),
    -- The FEN of the start; null is the standard array.
    start TEXT,
    owner INTEGER REFERENCES users (id) ON DELETE SET NULL,
    white_user INTEGER REFERENCES users (id) ON DELETE SET NULL,
    white_name TEXT NOT NULL,
    white_folded TEXT NOT NULL,
    white_level INTEGER,
    white_elo INTEGER,
    black_user INTEGER REFERENCES users (id) ON DELETE SET NULL,
    black_name TEXT NOT NULL,
    black_folded TEXT NOT NULL,
    black_level INTEGER,
    black_elo INTEGER,
    time_control TEXT,
    speed TEXT,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    -- When it was played: for an imported game the date of its tags.
    played_at INTEGER NOT NULL,
    clock_running_since INTEGER,
    result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    outcome TEXT,
    eco TEXT,
    opening TEXT,
    opening_folded TEXT,
    offer TEXT,
    -- SHA-256 of the secrets that let their holders move a side.
    white_seat BLOB,
    black_seat BLOB,
    -- The side for which somebody is awaited.
    open_seat TEXT CHECK (open_seat IN ('white', 'black')),
    rated TEXT NOT NULL CHECK (rated IN ('no', 'due', 'done')),
    -- The id of the game that was begun as its rematch.
    rematch TEXT,
    plies INTEGER NOT NULL,
    -- Hash of players, date, result and moves; only imported games have one.
    content BLOB,
    -- Two bytes for each move, four for the time its mover had left (none in an untimed game).
    moves BLOB NOT NULL,
    clocks BLOB NOT NULL,
    -- Of imported games: names and values as JSON; the moves with comments and variations.
    tags TEXT,
    annotated TEXT
) STRICT;
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
    key INTEGER NOT NULL,
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    PRIMARY KEY (key, game)
) STRICT, WITHOUT ROWID;

CREATE TABLE reviews (
    game INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    report TEXT NOT NULL,
    created INTEGER NOT NULL,
    PRIMARY KEY (game, fingerprint)
) STRICT;

CREATE TABLE ratings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game INTEGER REFERENCES games (number) ON DELETE SET NULL,
    time INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    UNIQUE (user_id, game)
) STRICT;
CREATE INDEX ratings_by_user ON ratings (user_id, number);
CREATE INDEX ratings_by_game ON ratings (game) WHERE game IS NOT NULL;

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    priority INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    attempts INTEGER NOT NULL,
    lease_until INTEGER,
    worker TEXT,
    progress REAL NOT NULL,
    -- The result of a job that is done, the last error of one that is not.
    answer TEXT,
    once TEXT UNIQUE,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
-- No index by kind: with one, all jobs of a kind would be sorted for each that is claimed.
CREATE INDEX jobs_waiting ON jobs (priority DESC, id, kind) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_failed ON jobs (id) WHERE state = 'failed';

-- One row: when the server was last seen alive.
CREATE TABLE pulse (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    time INTEGER NOT NULL
) STRICT;
