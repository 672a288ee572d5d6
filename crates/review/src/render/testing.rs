//! Reports for the tests of renderers.

use chess::{Color, Position};
use game::Game;
use game::pgn::Reader;

use crate::{GameReport, Label, Mode, MoveReport, MoveText, Phase, ScoreText, SideReport, Steps};

/// The ply of the blunder in [`sample`].
pub(crate) const BLUNDER: usize = 5;

/// A short game with an inaccuracy and a blunder, and its report.
pub(crate) fn sample() -> (Game, GameReport) {
    let game =
        game("1. e4 { [%clk 0:05:00] first } e5 2. Qh5 $1 (2. d4) Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
    let mut report = report(&game);
    let numbers = [
        (2, Label::Inaccuracy, 52.0, 45.0, ScoreText::Cp(-30), "g1f3 g8f6"),
        (BLUNDER, Label::Blunder, 55.0, 0.0, ScoreText::Mate(1), "g7g6 h5f3 g8f6"),
    ];
    for (ply, label, best, played, score, line) in numbers {
        let one = &mut report.moves[ply];
        (one.label, one.best_points, one.played_points, one.score) = (label, best, played, score);
        one.accuracy = 100.0 - (best - played);
        let mut at = game.line().positions().nth(ply).expect("a position").clone();
        one.best = texts(&mut at, line);
    }
    count(&mut report);
    (game, report)
}

/// A report of this many moves, in which knights go back and forth.
pub(crate) fn long(plies: usize) -> GameReport {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves: Vec<&str> = moves.into_iter().cycle().take(plies).collect();
    report(&game(&format!("{} *", moves.join(" "))))
}

/// The first game of a PGN text.
pub(crate) fn game(moves: &str) -> Game {
    let text = format!("[Event \"Test\"]\n\n{moves}\n");
    Reader::new(text.as_bytes()).games().next().expect("a game").expect("a valid game")
}

/// A report that has nothing to say about a game.
pub(crate) fn report(game: &Game) -> GameReport {
    let line = game.line();
    let mode = line.start().castling_mode();
    let moves = line.positions().zip(line.moves()).map(|(position, m)| MoveReport {
        played: MoveText::of(m, position, mode),
        side: position.turn(),
        label: Label::Best,
        close_call: false,
        best: vec![MoveText::of(m, position, mode)],
        score: ScoreText::Cp(20),
        best_score: ScoreText::Cp(20),
        best_points: 50.0,
        played_points: 50.0,
        other_points: None,
        centipawn_loss: 0,
        accuracy: 100.0,
        phase: Phase::Opening,
        clock: None,
        claims: Vec::new(),
    });
    let mut report = GameReport {
        engine: "Riga test".to_owned(),
        nodes: Some(100_000),
        mode: Mode::Riga,
        steps: Steps::default(),
        start: line.start().to_string(),
        result: game.result,
        opening: None,
        score: ScoreText::Cp(20),
        moves: moves.collect(),
        white: SideReport::default(),
        black: SideReport::default(),
        turning_points: Vec::new(),
        puzzles: Vec::new(),
    };
    count(&mut report);
    report
}

fn count(report: &mut GameReport) {
    let sides = Color::ALL.map(|color| {
        let own: Vec<&MoveReport> = report.moves.iter().filter(|one| one.side == color).collect();
        let mut side = SideReport::default();
        for one in &own {
            side.labels[one.label as usize] += 1;
        }
        let sum: f64 = own.iter().map(|one| one.accuracy).sum();
        side.accuracy = (!own.is_empty()).then(|| sum / own.len() as f64);
        side.phases[0] = side.accuracy;
        side
    });
    [report.white, report.black] = sides;
}

fn texts(position: &mut Position, line: &str) -> Vec<MoveText> {
    let mode = position.castling_mode();
    let text = |uci: &str| {
        let m = position.parse_move(uci).expect("a legal move");
        let text = MoveText::of(m, position, mode);
        position.play_unchecked(m);
        text
    };
    line.split(' ').map(text).collect()
}
