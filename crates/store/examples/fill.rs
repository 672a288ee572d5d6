//! Fills a store with generated games and measures queries.
//!
//! `cargo run --release --example fill -p riga-store -- 100000 [path or postgres://...]`

use std::time::{Duration, Instant};

use chess::{Line, Move, Position};
use game::live::End;
use game::{Game, Level, Openings};
use store::{Export, GameFilter, NewGame, Pace, Played, Player, Store, UserId, Version};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().unwrap_or_else(|| "10000".to_owned()).parse()?;
    let place = arguments.next().unwrap_or_else(|| {
        std::env::temp_dir().join("riga-fill").join("riga.db").display().to_string()
    });
    println!("{count} games in {place}");
    let store = store::open(&place).await?;
    let user = match store.user_by_name("Filler").await {
        Ok(user) => user,
        Err(_) => store.create_user("Filler").await?,
    };
    let games = Fake::many(count);
    import(&*store, &games, user.id).await?;
    live(&*store, user.id, &user.name).await?;
    search(&*store, user.id).await?;
    export(&*store).await?;
    store.close().await;
    Ok(())
}

async fn import(store: &dyn Store, games: &[Fake], user: UserId) -> Result<()> {
    let start = Instant::now();
    let plies: usize = games.iter().map(|fake| fake.to_game(user).line.len()).sum();
    let built = start.elapsed();
    let start = Instant::now();
    let imported =
        store.import(&mut games.iter().map(|fake| fake.to_game(user)), Pace::Fast).await?;
    let took = start.elapsed();
    let rate = |took: Duration| games.len() as f64 / took.as_secs_f64();
    println!("{:<40} {imported:?}, {plies} plies", "import");
    println!("{:<40} {:>10.0} games/s", "  building the games alone", rate(built));
    println!("{:<40} {:>10.0} games/s", "  building and importing", rate(took));
    Ok(())
}

/// Plays a game move by move: each is on disk before the next.
async fn live(store: &dyn Store, user: UserId, name: &str) -> Result<()> {
    let us = Player::User { id: user, name: name.to_owned() };
    let them = Player::engine(Level::new(3).expect("there are ten"));
    let id = store.create_game(NewGame::live(Position::default(), us, them)).await?;
    let fake = Fake::one(&mut Random(7), &Openings::table().map(|o| o.moves).collect::<Vec<_>>());
    let mut version = Version::FIRST;
    let mut times = Vec::new();
    for &m in &fake.moves {
        let start = Instant::now();
        version = store.append(&id, version, &Played::new(m)).await?;
        times.push(start.elapsed());
    }
    show("append a move", times, &format!("{} moves", fake.moves.len()));
    let start = Instant::now();
    store.finish(&id, version, None, None).await?;
    show("finish and index a game", vec![start.elapsed()], "");
    Ok(())
}

async fn search(store: &dyn Store, user: UserId) -> Result<()> {
    let any = GameFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let through = |moves: &str| {
        let mut position = Position::default();
        for san in moves.split_whitespace() {
            let m = position.parse_san(san).expect("a legal move");
            position.play_unchecked(m);
        }
        Some(position.key())
    };
    let rare = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
    for (what, filter) in [
        ("newest", any()),
        ("newest of a user", GameFilter { user: Some(user), ..any() }),
        ("player, frequent", GameFilter { player: text("player 77"), ..any() }),
        ("player, unknown", GameFilter { player: text("nobody"), ..any() }),
        (
            "player of a user, unknown",
            GameFilter { player: text("nobody"), user: Some(user), ..any() },
        ),
        ("code of the opening", GameFilter { eco: text("B9"), ..any() }),
        ("name of the opening", GameFilter { opening: text("najdorf"), ..any() }),
        ("name of the opening, unknown", GameFilter { opening: text("nonsense"), ..any() }),
        (
            "draws by a player",
            GameFilter {
                player: text("player 123"),
                result: Some(game::GameResult::Draw),
                ..any()
            },
        ),
        ("position, start", GameFilter { position: through(""), ..any() }),
        ("position, 1. e4", GameFilter { position: through("e4"), ..any() }),
        (
            "position, 1. e4 of a user",
            GameFilter { position: through("e4"), user: Some(user), ..any() },
        ),
        (
            "position, 1. e4, unknown player",
            GameFilter { position: through("e4"), player: text("nobody"), ..any() },
        ),
        ("position, Najdorf", GameFilter { position: through(rare), ..any() }),
        ("position, never", GameFilter { position: Some(12345), ..any() }),
    ] {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..9 {
            let start = Instant::now();
            found = store.search(&filter, None, 25).await?.games.len();
            times.push(start.elapsed());
        }
        show(what, times, &format!("{found} games"));
    }
    let nobody = Some(UserId(i64::MAX));
    for (what, moves, whose) in [
        ("moves from the start", "", None),
        ("moves from the start, of a user", "", Some(user)),
        ("moves from the start, of nobody", "", nobody),
        ("moves from 1. e4", "e4", None),
        ("moves from 1. e4, of a user", "e4", Some(user)),
        ("moves from 1. e4, of nobody", "e4", nobody),
        ("moves, Najdorf", rare, None),
    ] {
        let key = through(moves).expect("a key");
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..9 {
            let start = Instant::now();
            found =
                store.continuations(key, whose, None).await?.iter().map(|c| c.games).sum::<u64>();
            times.push(start.elapsed());
        }
        show(what, times, &format!("{found} games"));
    }
    let start = Instant::now();
    let statistics = store.statistics(user, 10).await?;
    show("statistics of a user", vec![start.elapsed()], &format!("{:?}", statistics.all));
    Ok(())
}

async fn export(store: &dyn Store) -> Result<()> {
    let start = Instant::now();
    let mut games = 0_u32;
    let mut bytes = 0;
    let mut export = Export::new(store, GameFilter::default());
    while let Some(game) = export.next().await? {
        games += 1;
        bytes += game.to_game()?.to_string().len();
        if games == 20_000 {
            break;
        }
    }
    let rate = f64::from(games) / start.elapsed().as_secs_f64();
    println!("{:<40} {rate:>10.0} games/s ({bytes} bytes of PGN)", "export");
    Ok(())
}

fn show(what: &str, mut times: Vec<Duration>, found: &str) {
    times.sort_unstable();
    let millis = |at: usize| times[at].as_secs_f64() * 1000.0;
    let (median, most) = (millis(times.len() / 2), millis(times.len() - 1));
    println!("{what:<40} {median:>10.2} ms, at most {most:>7.2} ms  {found}");
}

/// A generated game: a known opening, then random legal moves.
struct Fake {
    moves: Vec<Move>,
    white: u64,
    black: u64,
    day: u64,
    result: u64,
}

impl Fake {
    fn many(count: usize) -> Vec<Self> {
        let openings: Vec<_> = Openings::table().map(|opening| opening.moves).collect();
        let mut random = Random(1);
        (0..count).map(|_| Self::one(&mut random, &openings)).collect()
    }

    fn one(random: &mut Random, openings: &[&str]) -> Self {
        let mut position = Position::default();
        let mut moves = Vec::new();
        let opening = openings[random.below(openings.len() as u64) as usize];
        let mut known = opening.split(' ');
        let plies = 40 + random.below(80) as usize;
        while moves.len() < plies {
            let m = if let Some(san) = known.next() {
                position.parse_san(san).expect("a test plays every opening")
            } else {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                legal[random.below(legal.len() as u64) as usize]
            };
            moves.push(m);
            position.play_unchecked(m);
        }
        Self {
            moves,
            white: random.below(5000),
            black: random.below(5000),
            day: random.below(60 * 365),
            result: random.below(3),
        }
    }

    fn to_game(&self, owner: UserId) -> NewGame {
        let mut line = Line::default();
        for &m in &self.moves {
            line.play(m).expect("only legal moves are made");
        }
        let mut game = Game::default();
        game.tags.set("Event", "Fill");
        game.tags.set("White", &format!("Player {}, Some", self.white));
        game.tags.set("Black", &format!("Player {}, Other", self.black));
        let day = store::Timestamp(self.day as i64 * 86_400_000);
        game.tags.set("Date", &day.day().to_string());
        let result =
            [game::GameResult::WhiteWins, game::GameResult::Draw, game::GameResult::BlackWins];
        let mut new = NewGame::imported(&game);
        new.line = line;
        new.owner = Some(owner);
        new.end = Some(End::Closed(result[self.result as usize]));
        new
    }
}

/// `SplitMix64`: the same games in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % limit
    }
}
