//! Random commands at random times, by either side, by both at once and by spectators. The
//! invariants of [`check`] always hold, and the stored game is the same.

use std::time::Duration;

use chess::{Color, DrawReason, Outcome, WinReason};
use game::live::{
    Command, End, Event, LiveGame, Moment, Outlook, Played, Record, Refusal, Sides, Terms,
};
use proptest::prelude::*;

/// One step of a walk.
#[derive(Clone, Debug)]
struct Step {
    by: Who,
    kind: Kind,
    /// Selects the move.
    pick: usize,
    /// Milliseconds before the command.
    wait: i64,
    /// Milliseconds until the store has written the event.
    disk: i64,
    /// Whether flags are checked before the command.
    looks: bool,
}

/// The sender of a command.
#[derive(Copy, Clone, Debug)]
enum Who {
    Mover,
    Other,
    Both,
    Stranger,
}

#[derive(Copy, Clone, Debug)]
enum Kind {
    /// A legal move of the side to move.
    Play,
    /// A move for a ply that may be in the past or the future.
    PlayAtRandomPly,
    Premove,
    CancelPremove,
    Request(usize),
    LastRequest(usize),
    /// The engine finishes a search.
    Think,
    /// The other player joins.
    Begin,
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        10 => Just(Who::Mover),
        4 => Just(Who::Other),
        1 => Just(Who::Both),
        1 => Just(Who::Stranger),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        24 => Just(Kind::Play),
        1 => Just(Kind::PlayAtRandomPly),
        4 => Just(Kind::Premove),
        1 => Just(Kind::CancelPremove),
        6 => (0..REQUESTS.len()).prop_map(Kind::Request),
        // Commands that end the game at once are rare, or the walks would be short.
        1 => (0..LAST_REQUESTS.len()).prop_map(Kind::LastRequest),
        1 => Just(Kind::Think),
        1 => Just(Kind::Begin),
    ];
    let wait = prop_oneof![40 => 0..200_i64, 1 => 0..6_000_i64];
    (who(), kind, any::<usize>(), wait, 0..50_i64, any::<bool>())
        .prop_map(|(by, kind, pick, wait, disk, looks)| Step { by, kind, pick, wait, disk, looks })
}

const REQUESTS: [Command; 6] = [
    Command::TakeBack,
    Command::Decline,
    Command::ClaimDraw,
    Command::ClaimTime,
    Command::Rematch,
    Command::Draw,
];

const LAST_REQUESTS: [Command; 3] = [Command::Resign, Command::Abort, Command::ClaimDraw];

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    "8/8/8/4k3/8/8/4p3/K7 b - - 0 60",
    "7k/8/6K1/8/8/8/8/5R2 w - - 95 100",
    "7k/8/6K1/8/8/8/8/5R2 w - - 140 100",
];

const CONTROLS: [Option<&str>; 5] =
    [None, Some("5"), Some("3+0.2"), Some("4d0.3"), Some("2/3+0.1:2")];

fn terms() -> impl Strategy<Value = Terms> {
    let engine = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    (0..STARTS.len(), 0..CONTROLS.len(), engine, any::<bool>(), any::<bool>()).prop_map(
        |(start, control, engine, rated, waiting)| Terms {
            start: STARTS[start].parse().expect("a legal FEN"),
            control: CONTROLS[control].map(|text| text.parse().expect("a time control")),
            engine: engine.map(|white| if white { Color::White } else { Color::Black }),
            rated,
            waiting,
        },
    )
}

/// A game with its stored record.
struct Walk {
    game: LiveGame,
    row: Record,
    now: Moment,
    /// Both clocks after each number of plies.
    clocks: Vec<Option<[Duration; 2]>>,
}

impl Walk {
    fn new(terms: Terms) -> Self {
        let game = LiveGame::new(terms.clone());
        let clocks = vec![stopped(&game)];
        Self { game, row: Record::new(terms), now: Moment(1_000_000), clocks }
    }

    fn command(&self, step: &Step) -> Option<Command> {
        let plies = self.game.plies();
        let legal = self.game.line().position().legal_moves();
        let m = (!legal.is_empty()).then(|| legal[step.pick % legal.len()]);
        Some(match step.kind {
            Kind::Play => Command::play(plies, m?),
            Kind::PlayAtRandomPly => Command::play(step.pick % (plies + 3), m?),
            Kind::Premove => {
                // The moves that would be legal if the other side passed.
                let next = self.game.line().position().after_null_move()?;
                let legal = next.legal_moves();
                let m = (!legal.is_empty()).then(|| legal[step.pick % legal.len()])?;
                Command::premove(plies + 1, m)
            }
            Kind::CancelPremove => Command::CancelPremove,
            Kind::Request(which) => REQUESTS[which].clone(),
            Kind::LastRequest(which) => LAST_REQUESTS[which].clone(),
            Kind::Think | Kind::Begin => return None,
        })
    }

    fn step(&mut self, step: &Step) {
        let before = self.game.left(self.now);
        self.now = Moment(self.now.0 + step.wait);
        // Time only decreases.
        for (before, after) in
            before.iter().flatten().zip(self.game.left(self.now).iter().flatten())
        {
            assert!(after <= before);
        }
        if step.looks {
            self.settle(step.disk);
        }
        match step.kind {
            Kind::Begin => {
                self.game.begin();
                self.row.terms.waiting = false;
            }
            Kind::Think => {
                let outlook = Outlook::Centipawns(step.pick as i32 % 300);
                self.game.engine_thinks(outlook);
            }
            _ => {}
        }
        let turn = self.game.turn();
        let by = match step.by {
            Who::Mover => Sides::One(turn),
            Who::Other => Sides::One(!turn),
            Who::Both => Sides::Both,
            Who::Stranger => Sides::None,
        };
        let Some(command) = self.command(step) else { return };
        let late = self.game.deadline().is_some_and(|flag| flag <= self.now);
        match self.game.judge(by, &command, self.now) {
            Ok(event) => {
                assert_ne!(by, Sides::None, "a stranger did {command:?}");
                if !self.game.is_live() {
                    let rematch = matches!(command, Command::Rematch | Command::Decline);
                    assert!(rematch || event.is_none(), "{command:?} after the end");
                }
                let Some(event) = event else { return };
                if let Event::Played(played) = &event {
                    assert!(by.plays(played.by));
                }
                if late && self.game.is_live() && event.is_stored() {
                    assert_eq!(command, Command::ClaimTime, "after the flag");
                }
                self.happen(&event, step.disk);
                self.settle(step.disk);
            }
            Err(Refusal::NotAPlayer) => assert_eq!(by, Sides::None),
            Err(Refusal::TimeUp) => assert!(late),
            Err(Refusal::Over) => assert!(!self.game.is_live()),
            Err(_) => {}
        }
    }

    /// Applies all events that are due without a command.
    fn settle(&mut self, disk: i64) {
        while let Some(event) = self.game.due(self.now) {
            self.happen(&event, disk);
        }
    }

    /// Writes an event, applies it and checks the invariants.
    fn happen(&mut self, event: &Event, disk: i64) {
        let before = self.game.clone();
        write(&mut self.row, event);
        let judged = self.now;
        self.now = Moment(self.now.0 + disk);
        self.game.apply(event, self.now);
        match event {
            Event::Played(_) => self.clocks.push(stopped(&self.game)),
            Event::TookBack(_) => self.clocks.truncate(self.game.plies() + 1),
            _ => {}
        }
        assert_eq!(self.clocks.last(), Some(&stopped(&self.game)), "the clocks of {event:?}");
        check(&before, event, &self.game, judged);
        assert!(event.is_stored() || before.record() == self.game.record(), "{event:?}");
        // The store has the moment of the decision, the game the moment of the broadcast.
        let told = self.game.record().running_since;
        assert_eq!(self.row.running_since.is_some(), told.is_some());
        let row = Record { running_since: told, ..self.row.clone() };
        let mut restored = LiveGame::restore(row).expect("what was written can be restored");
        restored.keep_unsaved(self.game.clone());
        assert_eq!(restored, self.game, "after {event:?}");
    }
}

/// The clocks when none is running.
fn stopped(game: &LiveGame) -> Option<[Duration; 2]> {
    game.clock().map(|clock| Color::ALL.map(|color| clock.left(color)))
}

/// Writes an event as a store does, using only the event.
fn write(row: &mut Record, event: &Event) {
    match event {
        Event::Played(played) => {
            row.moves.push(played.m);
            row.lefts.extend(played.left);
            row.running_since = played.running_since;
            row.offer = played.offer;
            row.end = played.outcome.map(End::Over);
        }
        Event::TookBack(back) => {
            let left = row.moves.len() - back.plies;
            row.moves.truncate(left);
            row.lefts.truncate(left);
            row.running_since = back.running_since;
            row.offer = None;
            row.terms.rated = false;
        }
        Event::Offered(offer) => row.offer = *offer,
        Event::Ended(ended) => {
            row.end = Some(ended.end);
            row.last_thought = Some(ended.thought);
            row.running_since = None;
            row.offer = None;
        }
        Event::RematchAgreed => row.rematch_agreed = true,
        Event::Premoved { .. }
        | Event::PremoveFailed { .. }
        | Event::RematchOffered { .. }
        | Event::RematchDeclined => {}
    }
}

/// The invariants between a game before and after an event.
fn check(before: &LiveGame, event: &Event, after: &LiveGame, judged: Moment) {
    assert!(before.is_rated() || !after.is_rated(), "a game became rated by {event:?}");
    match event {
        Event::Played(played) => {
            assert_eq!(after.plies(), before.plies() + 1);
            assert_eq!((played.by, !played.by), (before.turn(), after.turn()));
            assert!(after.offer().is_none_or(|offer| offer.by == played.by));
            check_clocks(before, played, after, judged);
        }
        Event::TookBack(back) => {
            assert_eq!(after.plies() + back.plies, before.plies());
            assert!(after.offer().is_none() && !after.is_rated());
        }
        Event::Ended(_) => assert!(!after.is_live()),
        _ => assert_eq!(after.line(), before.line()),
    }
    if after.is_live() {
        assert_eq!(after.line().outcome(), None);
        let runs = after.clock().is_some() && after.plies() > 0;
        assert_eq!(after.clock_runs().is_some(), runs);
    } else {
        assert_eq!((after.offer(), after.deadline(), after.clock_runs()), (None, None, None));
        assert!(Color::ALL.into_iter().all(|color| !after.has_premove(color)));
        if !before.is_live() {
            assert_eq!(before.end(), after.end());
        }
        check_end(after, after.end().expect("it is over"));
    }
}

/// A clock only gains what the time control gives for a move.
fn check_clocks(before: &LiveGame, played: &Played, after: &LiveGame, judged: Moment) {
    let (Some(clock), Some(left)) = (before.clock(), stopped(after)) else { return };
    let mover = played.by;
    let (game::Bonus::Increment(bonus) | game::Bonus::Delay(bonus)) = clock.stage(mover).bonus;
    let stage = match clock.moves_to_go(mover) {
        Some(1) => clock.control().stages().last().expect("there is a stage").time,
        _ => Duration::ZERO,
    };
    let shown = if played.premove {
        clock.left(mover)
    } else {
        before.left(judged).expect("there are clocks")[mover.index()]
    };
    assert!(left[mover.index()] <= shown + bonus + stage);
    assert_eq!(left[(!mover).index()], clock.left(!mover));
}

/// The end must be possible in the final position.
fn check_end(game: &LiveGame, end: End) {
    let line = game.line();
    let position = line.position();
    let End::Over(outcome) = end else {
        assert!(game.plies() < 2 && game.outcome().is_none());
        return;
    };
    assert_eq!(game.result(), outcome.into());
    let by_the_rules = line.outcome();
    match outcome {
        Outcome::Win(winner, WinReason::Checkmate) => {
            assert!(position.is_check() && !position.has_legal_move() && position.turn() != winner);
        }
        Outcome::Win(winner, WinReason::Time) => {
            assert!(game.clock().is_some() && position.turn() != winner);
            assert!(position.has_mating_material(winner));
        }
        Outcome::Draw(DrawReason::TimeWithoutMatingMaterial) => {
            assert!(game.clock().is_some() && !position.has_mating_material(!position.turn()));
        }
        Outcome::Draw(DrawReason::ThreefoldRepetition) => assert!(line.repetitions() >= 3),
        Outcome::Draw(DrawReason::FiftyMoves) => assert!(position.halfmoves() >= 100),
        Outcome::Win(_, _) | Outcome::Draw(DrawReason::Agreement) => {
            assert_eq!(by_the_rules, None);
        }
        Outcome::Draw(_) => assert_eq!(by_the_rules, Some(outcome)),
    }
}

proptest! {
    #[test]
    fn no_command_breaks_the_rules(
        terms in terms(),
        steps in proptest::collection::vec(step(), 1..150),
    ) {
        let mut walk = Walk::new(terms);
        for step in &steps {
            walk.step(step);
        }
    }
}
